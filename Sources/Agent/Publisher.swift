internal import Wire

/// The lanes to the broker and the window over them.
///
/// The order: birth, answers, live records, state, info, and what the window leaves for the history. Whatever is in
/// flight when the connection ends is forgotten here, since its records are in the journal; only answers wait on.
struct Publisher: Sendable, Equatable {
  /// The most publications in flight, whatever the broker allows (the contract's figure).
  ///
  /// As many again are handed over: the link keeps them, and sends each when one before it is acknowledged.
  static let largestWindow = 20
  /// Live records that wait; more go to the history.
  static let liveCapacity = 500
  /// How many of the answers that wait are remembered over a restart; each commit writes them.
  static let owedCapacity = 64
  /// The agent's own bound on a payload, in bytes.
  static let largestPayload = 65_536

  /// What was handed over.
  enum Item: Sendable, Equatable {
    case birth(Lane)
    case state
    case response(QueuedAnswer)
    case live(Record)
    case history([Record])
    /// `offline`, the last word.
    case farewell
  }

  /// What was handed over, and when, in ms on the monotonic clock.
  struct Flight: Sendable, Equatable {
    var item: Item
    var sent: Int64
  }

  private enum Link: Sendable, Equatable {
    case down
    case up(Connection)
  }

  private var link = Link.down
  private var lastNumber: UInt64 = 0
  /// What was handed over and is not answered.
  private(set) var inFlight: [UInt64: Flight] = [:]
  /// What has to be said of the device anew, in order.
  private var births: [Lane] = []
  private var responses = AnswerQueue()
  private(set) var live: [Record] = []
  /// Whether the retained state or info is out of date.
  var stateIsDue = false
  var infoIsDue = false
  var replay: Replay
  var clock: ClockWait
  var refusals = Refusals()
  private(set) var reconnects = 0
  private var wasUp = false

  init(_ configuration: Machine.Configuration) {
    replay = Replay(rate: configuration.replayRate)
    clock = ClockWait(boot: configuration.boot, firstPossible: configuration.firstPossibleDate)
  }

  var isUp: Bool {
    switch link {
    case .down: false
    case .up: true
    }
  }

  private var window: Int {
    switch link {
    case .down: 0
    case .up(let connection): max(1, min(connection.receiveMaximum, Self.largestWindow))
    }
  }

  /// How many more publications may go: the window, and as many that wait for their turn in it.
  var room: Int { 2 * window - inFlight.count }

  /// The room for the history: a quarter of the window stays free, so that an event never waits for a replay.
  var historyRoom: Int {
    let batches = inFlight.values.count { flight in
      switch flight.item {
      case .history: true
      case .birth, .state, .response, .live, .farewell: false
      }
    }
    return max(0, min(room - window / 4, replay.pace.window - batches))
  }

  /// The most bytes of a payload: what the broker takes, less the packet's head.
  var largestPayload: Int { largestPayload(besides: 512) }

  /// The most bytes of a payload that goes with so many bytes of head.
  func largestPayload(besides head: Int) -> Int {
    switch link {
    case .down: Self.largestPayload
    case .up(let connection): max(64, min(Self.largestPayload, (connection.maximumPacket ?? .max / 2) - head))
    }
  }

  /// Whether nothing that may go waits or is in flight, the history aside.
  func isDrained(at now: Int64) -> Bool {
    nextBirth(at: now) == nil && nextResponse(at: now) == nil && nextLive == nil && inFlight.isEmpty
      && (!stateIsDue || refusals.isResting(.state, at: now))
  }

  /// The live record whose turn it is; nil also while it is held back.
  private var nextLive: Record? { live.first.flatMap { clock.holds($0) ? nil : $0 } }

  private func nextBirth(at now: Int64) -> Int? { births.firstIndex { !refusals.isResting($0, at: now) } }

  private func nextResponse(at now: Int64) -> Int? {
    let isResting = refusals.isResting(.response, at: now)
    return responses.answers.firstIndex { !isResting || $0.isElsewhere }
  }

  /// When the next batch of the history may go, in ms; nil for no sooner than something else happens.
  func historyDeadline(after now: Int64) -> Int64? {
    guard historyRoom > 0, replay.buffer.first.map(clock.holds) != true else { return nil }
    return replay.deadline(after: now)
  }

  /// When something that waits may be tried again that the broker refused, in ms.
  func retryDeadline(after now: Int64) -> Int64? {
    guard isUp else { return nil }
    var waiting = births
    if !responses.answers.isEmpty { waiting.append(.response) }
    if stateIsDue { waiting.append(.state) }
    if infoIsDue { waiting.append(.info) }
    return waiting.compactMap { refusals.rest(of: $0) }.filter { $0 > now }.min()
  }

  /// The answers of which nobody knows whether they arrived.
  var owed: [Owed] { (interrupted + responses.answers).compactMap(\.owed) }

  /// The answers in flight, in the order in which they were sent.
  private var interrupted: [QueuedAnswer] {
    inFlight.sorted { $0.key < $1.key }.compactMap { entry -> QueuedAnswer? in
      switch entry.value.item {
      case .response(let answer): answer
      case .birth, .state, .live, .history, .farewell: nil
      }
    }
  }

  mutating func connect(_ connection: Connection) {
    disconnect()
    if wasUp { reconnects += 1 }
    wasUp = true
    link = .up(connection)
    refusals = Refusals(alarm: connection.alarm)
  }

  mutating func disconnect() {
    link = .down
    responses.putBack(interrupted)
    inFlight = [:]
    births = []
    live = []
    replay.stop()
  }

  /// Lets a retained topic be told anew; what is told is made when its turn comes.
  mutating func enqueue(birth lane: Lane) {
    if isUp, !births.contains(lane) { births.append(lane) }
  }

  /// Whether a topic waits to be told anew.
  func isWaiting(_ lane: Lane) -> Bool { births.contains(lane) }

  /// Lets an answer wait for its turn; gives those that have to give way to it.
  mutating func enqueue(response answer: QueuedAnswer) -> [QueuedAnswer] {
    responses.append(answer)
  }

  /// Lets an answer that could not go so be the next to go.
  mutating func putBack(response answer: QueuedAnswer) { responses.putBack([answer]) }

  /// Lets a record wait for its turn; false if too many do, or its lane rests.
  mutating func enqueue(live record: Record, at now: Int64) -> Bool {
    guard live.count < Self.liveCapacity, !refusals.isResting(Lane(of: record), at: now) else { return false }
    live.append(record)
    return true
  }

  /// Takes the next live record.
  mutating func takeLive() -> Record? { nextLive == nil ? nil : live.removeFirst() }
  /// Takes what is to be told of the device next.
  mutating func takeBirth(at now: Int64) -> Lane? { nextBirth(at: now).map { births.remove(at: $0) } }
  /// Takes the next answer.
  mutating func takeResponse(at now: Int64) -> QueuedAnswer? { nextResponse(at: now).map { responses.take(at: $0) } }

  /// Whether the state is on its way; the next waits for it, so that a burst ends in one.
  var stateIsInFlight: Bool { inFlight.values.contains { $0.item == .state } }

  /// Numbers a publication of QoS 1 and puts it into the window.
  mutating func depart(_ publication: Publication, as item: Item, at now: Int64) -> Publication {
    let numbered = number(publication)
    inFlight[numbered.number] = Flight(item: item, sent: now)
    return numbered
  }

  /// Numbers a publication of QoS 0.
  mutating func number(_ publication: Publication) -> Publication {
    lastNumber += 1
    var numbered = publication
    numbered.number = lastNumber
    return numbered
  }

  /// Takes what was in flight under a number.
  mutating func arrive(_ number: UInt64) -> Flight? { inFlight.removeValue(forKey: number) }

  /// Takes away the records that wait in a lane.
  mutating func withdraw(live lane: Lane) -> [Record] {
    defer { live.removeAll { Lane(of: $0) == lane } }
    return live.filter { Lane(of: $0) == lane }
  }

  /// The records that wait in a lane or are in flight.
  func seqsUnderWay() -> Set<Int64> {
    var seqs = Set(live.map(\.seq))
    seqs.formUnion(replay.buffer.map(\.seq))
    for flight in inFlight.values {
      switch flight.item {
      case .birth, .state, .response, .farewell: break
      case .live(let record): seqs.insert(record.seq)
      case .history(let records): seqs.formUnion(records.map(\.seq))
      }
    }
    return seqs
  }
}
