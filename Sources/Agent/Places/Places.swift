public import Wire

extension Machine.Configuration {
  /// How the wearer's places are watched.
  public struct Places: Sendable, Equatable {
    /// What commands may do with regions.
    public enum Remote: Sendable, Equatable {
      /// Nothing.
      case none
      /// Ask which there are, and where the wearer is.
      case list
      /// That, and set others.
      case set
    }

    /// Whether there is a source of positions.
    public var isWatching = false
    /// The regions, unless a command set others.
    public var regions: [Region] = []
    /// The worst accuracy that counts, in m.
    public var coarsest = 100.0
    /// How old a fix may be, in ms.
    public var oldest: Int64 = 120_000
    /// How far outside a border one must surely be to have left, in m.
    public var margin = 20.0
    /// How long fixes must say that a border was crossed, in ms.
    public var dwell: Int64 = 10_000
    /// What commands may do.
    public var remote = Remote.none
    /// Whether events of crossings say where they were seen.
    public var publishesPosition = false

    /// Watches nothing.
    public init() {}
  }
}

/// What the machine knows of places.
struct Places: Sendable, Equatable {
  var monitor: RegionMonitor
  /// Regions that a command set; nil where the configuration's hold.
  private(set) var set: [Region]?
  /// Such regions where this version cannot read them, as the journal has them: kept until others are set.
  private(set) var unread: String?
  /// Whether a command spoke since the last crossing: being found in a region then starts nothing.
  var isOverridden = false
  /// Whether leaving a region ends the session as soon as the engine gave what it holds back.
  var endsSession = false
  /// When the app's latest message was written, in ms since 1970; it sends the last one again at each connection.
  var lastTime: Int64?
  /// Positions that counted for nothing.
  var ignored = 0
  /// What is wrong with the source; nil while it works.
  var fault: String?
  /// When each fault was logged last, in ms on the monotonic clock; there are few.
  var logged: [String: Int64] = [:]

  init(_ configuration: Machine.Configuration.Places, _ memory: Memory.Places?) {
    monitor = RegionMonitor(configuration.regions, rules: configuration)
    recall(memory)
  }

  /// Takes over what the journal knows, where nothing newer was found since.
  mutating func recall(_ memory: Memory.Places?) {
    guard let memory else { return }
    if set == nil, let text = memory.regions {
      if let known = Memory.Places.read(text) { watch(known, isSet: true) } else { unread = text }
    }
    monitor.recall(memory.inside.mapValues { $0 ? .inside : .outside })
    isOverridden = isOverridden || memory.isOverridden
    lastTime = [lastTime, memory.lastTime].compactMap(\.self).max()
  }

  /// Takes a configuration that was read again.
  mutating func take(_ configuration: Machine.Configuration.Places) {
    monitor.rules = configuration
    if set == nil { monitor.watch(configuration.regions) }
  }

  /// Watches regions that a command set, or the configuration's again.
  mutating func watch(_ regions: [Region], isSet: Bool) {
    set = isSet ? regions : nil
    unread = nil
    monitor.watch(regions)
  }

  /// What must be known after a restart.
  var memory: Memory.Places? {
    let memory = Memory.Places(
      inside: monitor.sides.mapValues { $0 == .inside }, regions: set.map(Memory.Places.text) ?? unread,
      isOverridden: isOverridden, lastTime: lastTime)
    return memory == Memory.Places() ? nil : memory
  }
}

extension Memory {
  /// What is kept of places.
  struct Places: Codable, Sendable, Equatable {
    /// The regions of which the side is known, by id: whether the wearer is inside.
    var inside: [String: Bool] = [:]
    /// The regions that a command set, as the command's JSON.
    var regions: String?
    var isOverridden = false
    /// In ms since 1970.
    var lastTime: Int64?

    fileprivate static func text(_ regions: [Region]) -> String {
      var text = JSONText()
      regions.write(to: &text)
      return String(decoding: text.bytes, as: UTF8.self)
    }

    fileprivate static func read(_ text: String) -> [Region]? {
      JSONValue(json: Array(text.utf8)).flatMap { try? Region.list($0) }
    }
  }
}
