public import Agent
public import Motion
public import Wire

/// A machine with all around it: virtual time, a journal in memory, a broker that does as the test says.
///
/// Nothing here waits or runs beside: a test sends an event, and everything that follows from it has happened when
/// the call returns, save what the test holds back (`holdsJournal`, `holdsAcknowledgements`).
public struct World {
  /// The machine under test.
  public private(set) var machine: Machine
  /// What it was told.
  public let configuration: Machine.Configuration
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
  public private(set) var requests: [JournalRequest] = []
  /// Publications that wait for their acknowledgement.
  public private(set) var inFlight: [Publication] = []
  /// Everything that the machine handed to the broker, in order.
  public private(set) var published: [Publication] = []
  /// The retained messages at the broker.
  public private(set) var retained: [String: [UInt8]] = [:]
  /// Who receives what the broker took.
  public private(set) var consumer = Consumer()
  /// Acknowledged messages, in order.
  public private(set) var confirmed: [UInt64] = []
  /// Lines of the log.
  public private(set) var log: [String] = []
  /// Whether the machine wants the sensor open.
  public private(set) var isSensorOpen = false
  /// What the engine was told last.
  public private(set) var wearer: Pedometer.Configuration?
  /// Whether the machine has left.
  public private(set) var hasLeft = false
  /// Whether the broker is connected.
  public private(set) var isConnected = false
  /// What the machine did wrong towards its ports.
  public private(set) var faults: [String] = []
  /// Steps that the sensor saw, counted by the machine or not.
  public private(set) var walked = 0
  /// Motion that the engine gives when it is asked to finish.
  public var heldBack: [MotionEvent] = []
  private var isDying = false
  private var messages: UInt64 = 0

  /// Makes a world in which the agent has begun on a journal.
  public init(_ configuration: Machine.Configuration, journal: MemoryJournal = MemoryJournal(), now: Instant = .start) {
    self.configuration = configuration
    self.journal = journal
    self.now = now
    machine = Machine(configuration, restored: journal.restored)
    send(.begin)
  }

  /// Hands the machine an event, and does all that follows.
  public mutating func send(_ event: Machine.Event) {
    var events = [event]
    while !events.isEmpty {
      let effects = machine.handle(events.removeFirst(), at: now)
      for effect in effects { events += perform(effect) }
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
    case .takeVitals: return [.vitals(Vitals(residentBytes: 8_000_000, samples: 0, dropped: 0))]
    case .publish(let publication): return publish(publication)
    case .confirm(let message): confirmed.append(message)
    case .journal(let request):
      if holdsJournal || !requests.isEmpty {
        requests.append(request)
      } else {
        return [.journal(journal.serve(request))]
      }
    case .log(_, let line): log.append(line)
    case .leave: hasLeft = true
    }
    return []
  }

  private mutating func publish(_ publication: Publication) -> [Machine.Event] {
    published.append(publication)
    if isDying {
      inFlight.append(publication)
      return []
    }
    guard isConnected else {
      faults.append("published without a connection")
      return []
    }
    if publication.qos == 0 {
      accept(publication)
      return []
    }
    inFlight.append(publication)
    if inFlight.count > 20 { faults.append("\(inFlight.count) in flight") }
    guard !holdsAcknowledgements else { return [] }
    return [finish(0)]
  }

  private mutating func accept(_ publication: Publication) {
    consumer.take(publication, topics: configuration.topics)
    if publication.retain { retained[publication.topic] = publication.payload }
  }

  private mutating func finish(_ index: Int) -> Machine.Event {
    let publication = inFlight.remove(at: index)
    let end = outcome(publication)
    if end == .acknowledged { accept(publication) }
    return .broker(.finished(publication: publication.number, end))
  }

  /// Lets the broker end a waiting publication.
  public mutating func acknowledge(_ index: Int = 0) {
    if inFlight.indices.contains(index) { send(finish(index)) }
  }

  /// Lets the broker end all waiting publications, and what follows from them.
  public mutating func acknowledgeAll() {
    while !inFlight.isEmpty { acknowledge() }
  }

  /// Lets the broker take a waiting publication, while its acknowledgement gets lost with the connection.
  public mutating func takeWithoutAcknowledging(_ index: Int = 0) {
    if inFlight.indices.contains(index) { accept(inFlight[index]) }
  }

  /// Serves the first request that waits.
  public mutating func completeJournal() {
    guard !requests.isEmpty else { return }
    send(.journal(journal.serve(requests.removeFirst())))
  }

  /// Serves all requests that wait, and what follows from them.
  public mutating func completeAllOfJournal() {
    while !requests.isEmpty { completeJournal() }
  }

  /// Connects.
  public mutating func connect(_ connection: Connection = Connection()) {
    isConnected = true
    send(.broker(.connected(connection)))
  }

  /// Cuts the connection: whatever is in flight fails, before or after the machine hears of the cut itself.
  public mutating func disconnect(failingFirst: Bool = false) {
    isConnected = false
    isDying = true
    let failed = inFlight
    inFlight = []
    if failingFirst { fail(failed) }
    send(.broker(.disconnected(reason: "cut")))
    isDying = false
    if !failingFirst { fail(failed) }
    // What was handed over in between went nowhere.
    fail(inFlight)
    inFlight = []
  }

  private mutating func fail(_ publications: [Publication]) {
    for publication in publications { send(.broker(.finished(publication: publication.number, .failed))) }
  }

  /// Lets time pass, with a tick at each of the machine's deadlines.
  public mutating func advance(_ milliseconds: Int64) {
    let end = now.monotonic + milliseconds
    var idle = 0
    while let due = machine.nextDeadline, due <= end {
      let former = now.monotonic
      move(to: max(due, now.monotonic))
      idle = now.monotonic == former ? idle + 1 : 0
      if idle > 200 { return faults.append("the machine spins at \(now.monotonic)") }
      send(.tick)
    }
    move(to: end)
  }

  private mutating func move(to monotonic: Int64) {
    now.wall += monotonic - now.monotonic
    now.monotonic = monotonic
  }

  /// Takes steps, one each 500 ms, as the engine would report them.
  public mutating func walk(_ steps: Int) {
    for _ in 0..<steps {
      advance(500)
      step()
    }
  }

  /// Takes one step now.
  public mutating func step() {
    guard isSensorOpen else { return }
    walked += 1
    let time = Double(now.monotonic) / 1000
    send(.motion(.step(Step(time: time, duration: 0.5, length: 0.7, cadence: 2))))
  }

  /// Sends a command to the device's own topic; gives the message's number.
  @discardableResult
  public mutating func command(
    _ payload: String, retained: Bool = false, topic: String? = nil, responseTopic: String? = nil,
    correlation: [UInt8] = []
  ) -> UInt64 {
    messages += 1
    send(
      .broker(
        .message(
          Message(
            number: messages, topic: topic ?? configuration.topics.command, payload: Array(payload.utf8),
            retained: retained, responseTopic: responseTopic, correlation: correlation))))
    return messages
  }

  /// Ends the process without warning and starts it anew: what was not committed is gone.
  ///
  /// With `afterServing` the first request that waits reaches the disk, but nobody hears of it.
  public mutating func crash(afterServing: Bool = false) {
    if afterServing, let request = requests.first { _ = journal.serve(request) }
    requests = []
    inFlight = []
    isConnected = false
    isSensorOpen = false
    hasLeft = false
    heldBack = []
    var next = configuration
    next.seed = configuration.seed &+ UInt64(now.monotonic)
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
  public var state: JSONValue? { retained[configuration.topics.state].flatMap { JSONValue(json: $0) } }
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
