/// A command, as it was understood.
public struct Command: Sendable, Equatable {
  /// The largest payload that is looked at, in bytes.
  public static let maximumSize = 4096
  /// How deep a payload may be nested.
  public static let maximumDepth = 8
  /// The longest id, in UTF-8 bytes.
  public static let maximumIDLength = 64

  /// What a command asks for, with its arguments.
  ///
  /// Times are in ms since 1970.
  public enum Verb: Sendable, Equatable {
    /// Begin a session, now or from an earlier time on.
    case start(from: Int64?)
    /// End the session.
    case stop
    /// Tell the state.
    case status
    /// Tell the totals of an interval, whole or in buckets of so many ms.
    case query(from: Int64, to: Int64?, bucket: Int64?)
    /// Set the step length, in m.
    case calibrateStepLength(Double)
    /// Set the step length from the true distance of the session so far, in m.
    case calibrateDistance(Double)
    /// Change settings, by their names in the configuration file.
    case configure([String: JSONValue])
    /// Send birth, discovery and state again.
    case announce
    /// Replay what waits, now.
    case sync
    /// Tell the regions and whether the wearer is in them.
    case regions

    /// The command's name on the wire.
    public var name: String {
      switch self {
      case .start: "start"
      case .stop: "stop"
      case .status: "status"
      case .query: "query"
      case .calibrateStepLength, .calibrateDistance: "calibrate"
      case .configure: "configure"
      case .announce: "announce"
      case .sync: "sync"
      case .regions: "regions"
      }
    }
  }

  /// The sender's id for it, 1 to 64 bytes; nil when it wants no answer that it could tell apart.
  public var id: String?
  /// What it asks for.
  public var verb: Verb
  /// When it was sent, in ms since 1970; nil if it does not say.
  public var issued: Int64?
  /// How long it holds from then on, in ms; nil for ever.
  public var lifetime: Int64?

  /// Makes a command.
  public init(id: String? = nil, _ verb: Verb, issued: Int64? = nil, lifetime: Int64? = nil) {
    self.id = id
    self.verb = verb
    self.issued = issued
    self.lifetime = lifetime
  }

  /// Whether its time has passed at a moment in ms since 1970.
  public func isExpired(at now: Int64) -> Bool {
    guard let issued, let lifetime else { return false }
    return now > issued && now - issued > lifetime
  }

  /// The payload that `decode(_:)` reads back as this command; what `steps2mqtt start …` sends.
  public var json: [UInt8] {
    JSONText.object { text in
      if let id { text.member("id", id) }
      text.member("command", verb.name)
      switch verb {
      case .start(let from):
        if let from { text.member("args") { $0.member("from", moment: from) } }
      case .query(let from, let to, let bucket):
        text.member("args") { args in
          args.member("from", moment: from)
          if let to { args.member("to", moment: to) }
          if let bucket { args.member("bucket", Double(bucket) / 1000) }
        }
      case .calibrateStepLength(let length): text.member("args") { $0.member("step_length_m", length) }
      case .calibrateDistance(let distance): text.member("args") { $0.member("distance_m", distance) }
      case .configure(let settings): text.member("args", JSONValue.object(settings))
      case .stop, .status, .announce, .sync, .regions: break
      }
      if let issued { text.member("ts", moment: issued) }
      if let lifetime { text.member("ttl_s", Double(lifetime) / 1000) }
    }
  }
}

/// Why a payload is no command, with as much of its id as could be read.
public struct CommandRefusal: Error, Sendable, Equatable {
  /// The answer's code.
  public var code: Response.Code
  /// What is wrong, and what would be right.
  public var reason: String
  /// The command's id, where it has a valid one.
  public var id: String?
  /// The command's name, where it has one.
  public var command: String?

  /// Makes a refusal.
  public init(_ code: Response.Code, _ reason: String, id: String? = nil, command: String? = nil) {
    self.code = code
    self.reason = reason
    self.id = id
    self.command = command
  }
}
