internal import Wire

/// The lanes to the broker and the window over them.
///
/// The order: birth, answers, live records, state, info, and what the window leaves for the history. Whatever is in
/// flight when the connection ends is forgotten here, since its records are in the journal; only answers wait on.
struct Publisher: Sendable, Equatable {
  /// The most publications in flight, whatever the broker allows (the contract's figure).
  static let largestWindow = 20
  /// Live records that wait; more go to the history.
  static let liveCapacity = 500
  /// Answers that wait for a connection; the oldest give way.
  static let responseCapacity = 64
  /// How long a lane rests that the broker refused, in ms.
  static let deniedDelay: Int64 = 60_000
  /// The agent's own bound on a payload, in bytes.
  static let largestPayload = 65_536

  /// What is in flight.
  enum Item: Sendable, Equatable {
    case control
    case state
    case response(QueuedAnswer)
    case live(Record)
    case history([Record])
  }

  private enum Link: Sendable, Equatable {
    case down
    case up(Connection)
  }

  private var link = Link.down
  private var lastNumber: UInt64 = 0
  private(set) var inFlight: [UInt64: Item] = [:]
  private(set) var control: [Publication] = []
  private(set) var responses: [QueuedAnswer] = []
  private(set) var live: [Record] = []
  /// Whether the retained state or info is out of date.
  var stateIsDue = false
  var infoIsDue = false
  var replay: Replay
  var clock: ClockWait
  private(set) var fault: String?
  private(set) var reconnects = 0
  private var wasUp = false
  private var liveNotBefore: Int64 = 0

  init(replayRate: Double?, boot: String) {
    replay = Replay(rate: replayRate)
    clock = ClockWait(boot: boot)
  }

  var isUp: Bool {
    switch link {
    case .down: false
    case .up: true
    }
  }

  /// How many more publications may go.
  var room: Int {
    switch link {
    case .down: 0
    case .up(let connection): max(1, min(connection.receiveMaximum, Self.largestWindow)) - inFlight.count
    }
  }

  /// The room for the history: a quarter of the window stays free, so that an event never waits for a replay.
  var historyRoom: Int {
    switch link {
    case .down: return 0
    case .up(let connection):
      let window = max(1, min(connection.receiveMaximum, Self.largestWindow))
      return max(0, room - window / 4)
    }
  }

  /// The most bytes of a payload: what the broker takes, less the packet's head.
  var largestPayload: Int {
    switch link {
    case .down: Self.largestPayload
    case .up(let connection): max(64, min(Self.largestPayload, (connection.maximumPacket ?? .max / 2) - 512))
    }
  }

  /// Whether nothing that may go waits or is in flight, the history aside.
  var isDrained: Bool {
    control.isEmpty && responses.isEmpty && nextLive == nil && inFlight.isEmpty && !stateIsDue
  }

  /// The live record whose turn it is; nil also while it is held back.
  private var nextLive: Record? { live.first.flatMap { clock.holds($0) ? nil : $0 } }

  /// When the next batch of the history may go, in ms; nil for no sooner than something else happens.
  func historyDeadline(after now: Int64) -> Int64? {
    guard historyRoom > 0, replay.buffer.first.map(clock.holds) != true else { return nil }
    return replay.deadline(after: now)
  }

  /// The answers of which nobody knows whether they arrived.
  var owed: [Owed] {
    let flying = inFlight.sorted { $0.key < $1.key }.compactMap { entry -> Owed? in
      switch entry.value {
      case .response(let answer): answer.owed
      case .control, .state, .live, .history: nil
      }
    }
    return flying + responses.compactMap(\.owed)
  }

  mutating func connect(_ connection: Connection) {
    disconnect()
    if wasUp { reconnects += 1 }
    wasUp = true
    link = .up(connection)
    liveNotBefore = 0
    fault = connection.alarm
  }

  mutating func disconnect() {
    link = .down
    let interrupted = inFlight.sorted { $0.key < $1.key }.compactMap { entry -> QueuedAnswer? in
      switch entry.value {
      case .response(let answer): answer
      case .control, .state, .live, .history: nil
      }
    }
    responses = interrupted + responses
    inFlight = [:]
    control = []
    live = []
    replay.stop()
  }

  mutating func enqueue(control publication: Publication) {
    if isUp { control.append(publication) }
  }

  mutating func enqueue(response answer: QueuedAnswer) {
    responses.append(answer)
    if responses.count > Self.responseCapacity { responses.removeFirst() }
  }

  /// Sends a committed record live, or leaves it to the history.
  mutating func enqueue(live record: Record, at now: Int64) {
    guard isUp else { return }
    if live.count < Self.liveCapacity, now >= liveNotBefore {
      live.append(record)
    } else {
      replay.include(record.seq)
    }
  }

  /// Takes the next live record.
  mutating func takeLive() -> Record? { nextLive == nil ? nil : live.removeFirst() }
  /// Takes the next birth message.
  mutating func takeControl() -> Publication? { control.isEmpty ? nil : control.removeFirst() }
  /// Takes the next answer.
  mutating func takeResponse() -> QueuedAnswer? { responses.isEmpty ? nil : responses.removeFirst() }

  /// Whether the state is on its way; the next waits for it, so that a burst ends in one.
  var stateIsInFlight: Bool { inFlight.values.contains(.state) }

  /// Numbers a publication and puts it into the window; one of QoS 0 needs no place there.
  mutating func depart(_ publication: Publication, as item: Item) -> Publication {
    lastNumber += 1
    var numbered = publication
    numbered.number = lastNumber
    if publication.qos > 0 { inFlight[lastNumber] = item }
    return numbered
  }

  /// Takes what was in flight under a number.
  mutating func arrive(_ number: UInt64) -> Item? { inFlight.removeValue(forKey: number) }

  /// The live lane was refused: it rests, its records go to the history.
  mutating func restLive(_ refused: Record, until time: Int64) {
    liveNotBefore = time
    for record in [refused] + live { replay.include(record.seq) }
    live = []
  }

  /// Notes what the broker refuses, or that it takes everything again.
  mutating func note(fault reason: String?) { fault = reason }

  /// The records that wait in a lane or are in flight.
  func seqsUnderWay() -> Set<Int64> {
    var seqs = Set(live.map(\.seq))
    seqs.formUnion(replay.buffer.map(\.seq))
    for item in inFlight.values {
      switch item {
      case .control, .state, .response: break
      case .live(let record): seqs.insert(record.seq)
      case .history(let records): seqs.formUnion(records.map(\.seq))
      }
    }
    return seqs
  }
}
