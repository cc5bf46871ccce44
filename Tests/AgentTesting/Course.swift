internal import Agent
internal import Motion
internal import Wire

/// A random course of everything that may happen to the agent, all of it following from a seed.
///
/// The seed decides which troubles a course knows and then, move by move, what happens. `faultsAtTheEnd` lets all come
/// right again and tells what did not (`Course+Verdict.swift`).
public struct Course {
  /// What can happen next.
  enum Move: CaseIterable, Sendable {
    case walk, rest, connect, cut, refuseConnection, holdAcknowledgements, acknowledge, takeSilently, holdJournal
    case completeJournal, crash, breakDisk, changeRules, moveClock, sense, command, travel

    /// How often it happens, compared with the others.
    var weight: Int {
      switch self {
      case .walk: 6
      case .connect, .acknowledge, .completeJournal, .command, .travel: 2
      case .rest, .cut, .refuseConnection, .holdAcknowledgements, .takeSilently, .holdJournal, .crash, .breakDisk,
        .changeRules, .moveClock, .sense:
        1
      }
    }

    /// Each move as often as its weight says.
    static let bag = allCases.flatMap { Array(repeating: $0, count: $0.weight) }
  }

  /// A command at the broker that the agent has not acknowledged.
  struct Pending: Sendable {
    var message: UInt64?
    var payload: String
    var retained = false
  }

  /// What a course knows besides a network that comes and goes, a slow disk, commands and walking.
  struct Troubles: Sendable {
    var crashes, reboots, diskFaults, trims, refusals, clockJumps, forgetfulBroker, places, lags: Bool
  }

  /// The agent and all around it.
  public internal(set) var world: World
  let troubles: Troubles
  var random: Randomness
  /// Commands that the broker keeps, in order.
  var pending: [Pending] = []
  /// Ids of commands that were acknowledged, so that an answer is owed.
  var acknowledgedIDs: Set<String> = []
  var confirmations = 0
  /// Whether the course is told, move by move.
  public var tellsStory = false
  /// What happened, if it is told.
  public internal(set) var story: [String] = []
  /// What is wrong so far that the end would not show.
  var faults: [String] = []
  var told = 0
  /// How often commands asked for a session to begin and to end.
  var orders = (started: 0, stopped: 0)
  private var nextID = 0
  private let moves: Int

  /// Makes the course of a seed.
  public init(seed: UInt64) {
    var random = Randomness(seed: seed)
    func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
    troubles = Troubles(
      crashes: chance(60), reboots: chance(30), diskFaults: chance(40), trims: chance(40), refusals: chance(30),
      clockJumps: chance(30), forgetfulBroker: chance(30),
      places: chance(40), lags: chance(50))
    let counting: Machine.Configuration.Counting = chance(30) ? .always : .whileStarted
    let rate = chance(50) ? 50.0 : nil
    let delay: Int64 = chance(50) ? 0 : 5000
    let places = troubles.places
    let dwell: Int64 = places && chance(50) ? 10_000 : 0
    world = World(
      .testing {
        if places {
          $0.topics = Topics(
            device: "p1", groups: ["yard"], homeAssistant: "homeassistant", ownTracks: Self.phone)
          $0.places.isWatching = true
          $0.places.regions = Self.regions
          $0.places.dwell = dwell
          $0.notification = TextTemplate("{steps}").map { .init(text: $0, textAtPlace: $0, tellsPlace: true) }
        }
        $0.counting = counting
        $0.replayRate = rate
        $0.replayDelay = delay
      })
    if troubles.trims {
      world.journal.capacity = Int.random(in: 5...25, using: &random)
      if chance(50) { world.journal.mergedCapacity = Int.random(in: 0...1, using: &random) }
    }
    moves = Int.random(in: 40...120, using: &random)
    self.random = random
  }

  /// Goes the whole way and gives what went wrong; nothing should.
  public mutating func run() -> [String] {
    send(#"{"id":"first","command":"start"}"#)
    for _ in 0..<moves {
      let move = Move.bag[pick(0...(Move.bag.count - 1))]
      make(move)
      collectConfirmations()
      if tellsStory { tell("\(move)") }
    }
    defer { if tellsStory { tell("all comes right") } }
    return faultsAtTheEnd()
  }

  mutating func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  mutating func flip() -> Bool { Bool.random(using: &random) }

  private mutating func make(_ move: Move) {
    switch move {
    case .walk:
      // Only while the engine says that they walk may steps lag, which the end of the process can take.
      if troubles.lags { tell(.resume) }
      world.walk(pick(1...12))
    case .rest: world.advance(Int64(pick(1...90_000)))
    case .connect: if !world.isConnected { connect() }
    case .cut: if world.isConnected { cut() }
    case .refuseConnection: if !world.isConnected { world.send(.broker(.disconnected(reason: "refused"))) }
    case .holdAcknowledgements: world.holdsAcknowledgements = flip()
    case .acknowledge: world.acknowledge(pick(0...19))
    case .takeSilently: world.takeWithoutAcknowledging(pick(0...19))
    case .holdJournal: world.holdsJournal = flip()
    case .completeJournal: world.completeJournal()
    case .crash: if troubles.crashes { crash() }
    case .breakDisk: if troubles.diskFaults { breakDisk() }
    case .changeRules: if troubles.refusals { changeRules() }
    case .moveClock: if troubles.clockJumps { moveClock() }
    case .sense: sense()
    case .command: command()
    case .travel: if troubles.places { travel() }
    }
  }

  private mutating func tell(_ kind: PedometerEvent.Kind) {
    world.send(.motion(.pedometer(PedometerEvent(kind: kind, time: Double(world.now.monotonic) / 1000))))
  }

  private mutating func connect() {
    world.connect(Connection(receiveMaximum: pick(1...30), maximumPacket: flip() ? nil : pick(1500...6000)))
    let waiting = pending
    pending = []
    for command in waiting { deliver(command) }
  }

  /// Cuts the connection after the broker has seen some of what was under way; it may start anew meanwhile.
  private mutating func cut() {
    if flip() { world.takeWithoutAcknowledging(pick(0...19)) }
    world.disconnect(failingFirst: flip())
    forgetDelivery()
    if troubles.forgetfulBroker, flip() {
      world.forgetRetained()
      pending = []
    }
  }

  private mutating func crash() {
    if flip() { world.takeWithoutAcknowledging(pick(0...19)) }
    let isReboot = troubles.reboots && flip()
    collectConfirmations()
    if isReboot, flip() {
      world.now.wall = 20_000
      world.now.synchronized = false
    }
    world.crash(afterServing: flip(), reboot: isReboot)
    forgetDelivery()
    // What was acknowledged without a disk is forgotten.
    let kept = Set(world.journal.answers.map(\.id))
    world.forgotten.formUnion(acknowledgedIDs.subtracting(kept))
    acknowledgedIDs.formIntersection(kept)
  }

  private mutating func forgetDelivery() {
    for index in pending.indices { pending[index].message = nil }
  }

  private mutating func breakDisk() {
    world.journal.fault = pick(0...3) == 0 ? "input/output error" : nil
    world.journal.fullness = flip() ? "no space left" : nil
  }

  private mutating func changeRules() {
    switch pick(0...9) {
    case 0: world.outcome = { $0.topic.hasSuffix("/steps") ? .denied(reason: "not authorised") : .acknowledged }
    case 1: world.outcome = { $0.topic.hasSuffix("/history") ? .denied(reason: "not authorised") : .acknowledged }
    case 2: world.outcome = { $0.topic.hasSuffix("/steps") ? .unacceptable(reason: "too large") : .acknowledged }
    case 3:
      world.outcome = {
        $0.topic.hasSuffix("/history") && $0.payload.count > 1200 ? .unacceptable(reason: "too large") : .acknowledged
      }
    case 4, 5:
      let ending = ["/state", "/info", "/availability", "/config", "/response", "/event"][pick(0...5)]
      world.outcome = { $0.topic.hasSuffix(ending) ? .denied(reason: "not authorised") : .acknowledged }
    case 6:
      world.outcome = {
        $0.topic.hasSuffix("/response") && $0.payload.count > 450 ? .unacceptable(reason: "too large") : .acknowledged
      }
    default: world.outcome = { _ in .acknowledged }
    }
  }

  private mutating func moveClock() {
    switch pick(0...6) {
    case 0: world.now.wall += 3_600_000
    case 1: world.now.wall -= 3_600_000
    case 2: world.now.wall += 315_576_000_000
    case 3: world.now.wall = 1_796_026_500_000 + world.now.monotonic
    case 4: world.now.zoneOffset = 3600 * pick(-11...13)
    case 5: world.suspend(3_600_000)
    default:
      world.now.synchronized.toggle()
      if world.now.synchronized { world.now.wall = 1_796_026_500_000 + world.now.monotonic }
    }
  }

  private mutating func sense() {
    let time = Double(world.now.monotonic) / 1000
    switch pick(0...5) {
    case 0: if world.isSensorOpen { world.send(.sensor(.lost(SensorLoss(reason: "unplugged")))) }
    case 1: if world.isSensorOpen { world.send(.sensor(.found(SensorIdentity(name: "walk", rate: 50)))) }
    case 2: world.heldBack = [.step(Step(time: time, duration: 0.5, length: 0.7, cadence: 2))]
    case 3: world.journal.refusesTrim = true
    default:
      world.send(.motion(.pedometer(PedometerEvent(kind: flip() ? .pause : .resume, time: time))))
    }
  }

  private mutating func command() {
    if pick(0...2) > 0 { nextID += 1 }
    let from = RFC3339.text(world.now.wall - 60_000)
    let verbs = [
      #""start""#, #""stop""#, #""status""#, #""start","args":{"from":"\#(from)"}"#, #""announce""#, #""sync""#,
      #""query","args":{"from":"\#(from)"}"#, #""dance""#, #""start","ts":"2020-01-01T00:00:00Z","ttl_s":1"#,
    ]
    let payload = #"{"id":"c\#(nextID)","command":\#(verbs[pick(0...(verbs.count - 1))])}"#
    send(payload, retained: pick(0...9) == 0)
    if pick(0...4) == 0 { send(payload) }
  }

  /// Sends a command to the broker, which hands it on as soon as the agent is there.
  private mutating func send(_ payload: String, retained: Bool = false) {
    deliver(Pending(payload: payload, retained: retained))
  }

  private mutating func deliver(_ command: Pending) {
    if command.payload.contains(#""start""#) { orders.started += 1 }
    if command.payload.contains(#""stop""#) { orders.stopped += 1 }
    var command = command
    let index = pending.count
    pending.append(command)
    guard world.isConnected else { return }
    command.message = world.command(command.payload, retained: command.retained)
    pending[index] = command
  }

  /// Takes from the broker what the agent has acknowledged; that must be on disk, unless there is none.
  mutating func collectConfirmations() {
    for message in world.confirmed[confirmations...] {
      guard let index = pending.firstIndex(where: { $0.message == message }) else { continue }
      let payload = pending.remove(at: index).payload
      guard case .string(let id) = JSONValue(quick: Array(payload.utf8))?["id"] else { continue }
      acknowledgedIDs.insert(id)
      if !world.diskRefuses, !world.journal.answers.contains(where: { $0.id == id }) {
        faults.append("\(id) was acknowledged before it was on disk")
      }
    }
    confirmations = world.confirmed.count
  }
}
