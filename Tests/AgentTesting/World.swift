public import Agent
public import Motion
public import Wire

/// A machine with all around it: virtual time, a journal in memory, a broker that does as the test says.
///
/// Nothing here waits or runs beside: a test sends an event, and everything that follows from it has happened when
/// the call returns, save what the test holds back (`holdsJournal`, `holdsAcknowledgements`).
public struct World {
  /// The machine under test.
  public internal(set) var machine: Machine
  /// What it was told.
  public internal(set) var configuration: Machine.Configuration
  /// Its journal.
  public var journal: MemoryJournal
  /// The moment.
  public var now: Instant
  /// Whether journal requests wait for `completeJournal()`.
  public var holdsJournal = false
  /// Whether publications of QoS 1 wait for `acknowledge()`.
  public var holdsAcknowledgements = false
  /// How a publication ends, where it does not wait.
  public var outcome: @Sendable (Publication) -> PublishOutcome = { _ in .acknowledged }
  /// Requests that wait.
  public internal(set) var requests: [JournalRequest] = []
  /// Publications that wait for their acknowledgement, in the order in which they were handed over; of them the link
  /// has sent as many as the window allows.
  public internal(set) var inFlight: [InFlight] = []
  /// Everything that the machine handed to the broker, in order.
  public internal(set) var published: [Publication] = []
  /// The retained messages at the broker.
  public internal(set) var retained: [String: [UInt8]] = [:]
  /// Who receives what the broker took.
  public internal(set) var consumer = Consumer()
  /// Acknowledged messages, in order.
  public internal(set) var confirmed: [UInt64] = []
  /// Lines of the log.
  public internal(set) var log: [String] = []
  /// Whether the machine wants the sensor open.
  public internal(set) var isSensorOpen = false
  /// What the engine was told last.
  public internal(set) var wearer: Pedometer.Configuration?
  /// Whether the machine has left.
  public internal(set) var hasLeft = false
  /// How many publications the broker allows in flight.
  public internal(set) var window = 20
  /// Whether the broker is connected.
  public internal(set) var isConnected = false
  /// What the machine did wrong towards its ports.
  public internal(set) var faults: [String] = []
  /// Steps that the machine was told, save those that a crash took before they were committed.
  public internal(set) var walked = 0
  /// What looks over the machine's shoulder.
  public internal(set) var inspector = Inspector()
  /// Ids whose answers a crash took before the disk had them, or that the disk could not look up.
  public internal(set) var forgotten: Set<String> = []
  /// Motion that the engine gives when it is asked to finish.
  public var heldBack: [MotionEvent] = []
  /// What the outside measures when it is asked.
  public var vitals = Vitals(residentBytes: 8_000_000, samples: 0, dropped: 0)
  /// Whether the last commit failed.
  public internal(set) var diskRefuses = false
  var isDying = false
  /// When a person was told last, in ms on the monotonic clock.
  var told: Int64?
  var messages: UInt64 = 0
  /// How often the process died.
  var crashes = 0
  var boots = 1
  /// Steps that are on disk, and those that each commit under way will put there.
  var secured = 0
  var securing: [(commit: UInt64, walked: Int)] = []
  /// Steps that the end of a process took from the device, but not from the consumer.
  public internal(set) var remembered = 0
  /// Whether the next commit is one of before, without its trim.
  var refused: Int?

  /// Makes a world in which the agent has begun on a journal.
  public init(_ configuration: Machine.Configuration, journal: MemoryJournal = MemoryJournal(), now: Instant = .start) {
    self.configuration = configuration
    self.journal = journal
    self.now = now
    machine = Machine(configuration, restored: journal.restored)
    send(.begin)
  }

  /// A world in which a session has just been started, without a connection.
  public static func walking(_ change: (inout Machine.Configuration) -> Void = { _ in }) -> World {
    var world = World(.testing(change))
    world.command("start")
    return world
  }

  /// Hands the machine an event, and does all that follows.
  public mutating func send(_ event: Machine.Event) {
    var events = [event]
    var next = 0
    while next < events.count {
      if case .motion(.step) = events[next], !hasLeft { walked += 1 }
      if case .broker(.finished(_, let outcome)) = events[next], outcome != .acknowledged { inspector.refused() }
      let effects = machine.handle(events[next], at: now)
      for effect in effects { events += perform(effect) }
      next += 1
    }
  }

  private mutating func perform(_ effect: Effect) -> [Machine.Event] {
    switch effect {
    case .openSensor: isSensorOpen = true
    case .closeSensor: isSensorOpen = false
    case .finishMotion:
      defer { heldBack = [] }
      return heldBack.map(Machine.Event.motion) + [.motionFinished]
    case .configureMotion(let configuration): wearer = configuration
    case .takeVitals: return [.vitals(vitals)]
    case .publish(let publication): return publish(publication)
    case .confirm(let message): confirmed.append(message)
    case .journal(let request):
      if case .commit(let commit) = request {
        securing.append((commit.number, refused ?? walked))
        refused = nil
      }
      if holdsJournal || !requests.isEmpty {
        requests.append(request)
      } else {
        return [.journal(serve(request))]
      }
    case .log(_, let line): log.append(line)
    case .leave: hasLeft = true
    }
    return []
  }

  /// Has the journal serve a request, and notes what it put on disk.
  mutating func serve(_ request: JournalRequest) -> JournalReport {
    let report = journal.serve(request)
    switch report {
    case .committed(let number):
      diskRefuses = false
      if let commit = securing.first(where: { $0.commit == number }) {
        secured = commit.walked
      }
      securing.removeAll { $0.commit == number }
    case .opened(let number, _): securing.removeAll { $0.commit == number }
    case .commitFailed(let number, _):
      diskRefuses = true
      securing.removeAll { $0.commit == number }
    case .trimRefused(let number, _):
      refused = securing.first { $0.commit == number }?.walked
      securing.removeAll { $0.commit == number }
    case .failed(.answer(let id), _): forgotten.insert(id)
    case .page, .sums, .answer, .trim, .failed: break
    }
    return report
  }

  /// Serves the first request that waits.
  public mutating func completeJournal() {
    guard !requests.isEmpty else { return }
    send(.journal(serve(requests.removeFirst())))
  }

  /// Serves all requests that wait, and what follows from them.
  public mutating func completeAllOfJournal() {
    while !requests.isEmpty { completeJournal() }
  }

  /// Ends the process without warning and starts it anew: what was not committed is gone.
  ///
  /// With `afterServing` the first request that waits reaches the disk, but nobody hears of it. With `reboot` the
  /// whole device starts anew: another boot, and a monotonic clock near 0.
  public mutating func crash(afterServing: Bool = false, reboot: Bool = false) {
    if afterServing, let request = requests.first { _ = serve(request) }
    let kept = Set(journal.answers.map(\.id))
    forgotten.formUnion(inspector.answeredIDs.subtracting(kept))
    remembered += consumer.steps(in: journal.interrupt())
    walked = secured
    crashes += 1
    diskRefuses = false
    securing = []
    refused = nil
    requests = []
    inFlight = []
    if isConnected { retained[configuration.topics.availability] = Array("offline".utf8) }
    isConnected = false
    isSensorOpen = false
    told = nil
    hasLeft = false
    heldBack = []
    if reboot {
      boots += 1
      configuration.boot = "boot-\(boots)"
      journal.boot = configuration.boot
      now.monotonic = 20_000
    }
    var next = configuration
    next.seed = configuration.seed &+ UInt64(now.monotonic) &+ UInt64(boots)
    machine = Machine(next, restored: journal.restored)
    send(.begin)
  }

  /// The payloads published on a topic, read as JSON.
  public func payloads(on topic: String) -> [JSONValue] {
    published.filter { $0.topic == topic }.compactMap { JSONValue(json: $0.payload) }
  }

  /// The answers published, in order.
  public var answers: [JSONValue] { payloads(on: configuration.topics.response) }

  /// The types of the events published live, in order.
  public var events: [String] { payloads(on: configuration.topics.event).compactMap { $0["event_type"]?.text } }

  /// The retained state.
  public var state: JSONValue? { retained(configuration.topics.state) }

  /// What is retained on a topic, read as JSON.
  public func retained(_ topic: String) -> JSONValue? { retained[topic].flatMap { JSONValue(quick: $0) } }
}

extension Instant {
  /// Monday, 30 November 2026, 08:15 UTC, ten minutes after the boot.
  public static let start = Instant(monotonic: 600_000, wall: 1_796_026_500_000)
}

extension Machine.Configuration {
  /// A configuration for tests: device `p1` with Home Assistant, no delay before a replay.
  public static func testing(_ change: (inout Machine.Configuration) -> Void = { _ in }) -> Machine.Configuration {
    var configuration = Machine.Configuration(
      topics: Topics(device: "p1", groups: ["yard"], homeAssistant: "homeassistant"), boot: "boot-1", seed: 7)
    configuration.replayDelay = 0
    change(&configuration)
    return configuration
  }
}
