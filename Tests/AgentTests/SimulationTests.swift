import Agent
import AgentTesting
import Motion
import Testing
import Wire

/// Random courses of everything that may happen, and what must hold after each: issue 4's simulation stands on this.
@Suite struct SimulationTests {
  /// What a course has besides cuts, late acknowledgements, a slow disk and commands.
  enum Trouble: CaseIterable, Sendable {
    /// Crashes, and acknowledgements that get lost.
    case crashes
    /// The same, and a disk that refuses now and then.
    case diskFaults
    /// A journal so small that it merges what is unsent. What was sent but not known to be can then arrive twice, once
    /// merged, so this goes without crashes and lost acknowledgements.
    case trims
  }

  @Test(arguments: Trouble.allCases)
  func `whatever happens, what was committed arrives once`(trouble: Trouble) {
    var trims = 0
    for seed in 1...UInt64(150) {
      var course = Course(seed: seed, trouble)
      course.run(moves: 120)
      let faults = course.faultsAtTheEnd()
      if !faults.isEmpty {
        Issue.record("seed \(seed), \(trouble): \(faults.joined(separator: "; "))")
        return
      }
      trims += course.world.consumer.records.values.count { $0["event_type"] == .string("outbox_trimmed") }
    }
    // A course that never meets its trouble proves nothing.
    #expect((trims > 100) == (trouble == .trims))
  }
}

/// One random course.
private struct Course {
  var world: World
  var random: Randomness
  let trouble: SimulationTests.Trouble
  var nextID = 0

  init(seed: UInt64, _ trouble: SimulationTests.Trouble) {
    random = Randomness(seed: seed)
    self.trouble = trouble
    world = World(.testing { $0.counting = seed % 3 == 0 ? .always : .whileStarted })
    if trouble == .trims { world.journal.capacity = 15 }
    world.command(#"{"id":"first","command":"start"}"#)
  }

  mutating func run(moves: Int) {
    for _ in 0..<moves { move() }
  }

  private mutating func move() {
    switch Int.random(in: 0..<20, using: &random) {
    case 0...5: world.walk(Int.random(in: 1...12, using: &random))
    case 6: world.advance(Int64.random(in: 1...90_000, using: &random))
    case 7:
      if !world.isConnected { world.connect(Connection(receiveMaximum: Int.random(in: 1...30, using: &random))) }
    case 8:
      if world.isConnected { world.disconnect(failingFirst: Bool.random(using: &random)) }
    case 9: world.holdsAcknowledgements = Bool.random(using: &random)
    case 10, 11: world.acknowledge(Int.random(in: 0..<20, using: &random))
    case 12:
      if trouble != .trims { world.takeWithoutAcknowledging(Int.random(in: 0..<20, using: &random)) }
      if world.isConnected { world.disconnect() }
    case 13: world.holdsJournal = Bool.random(using: &random)
    case 14, 15: world.completeJournal()
    case 16:
      if trouble != .trims { world.crash(afterServing: Bool.random(using: &random)) }
    case 17:
      if trouble == .diskFaults { world.journal.fault = Bool.random(using: &random) ? "no space left" : nil }
    case 18: command()
    default:
      let kind: PedometerEvent.Kind = Bool.random(using: &random) ? .pause : .resume
      world.send(.motion(.pedometer(PedometerEvent(kind: kind, time: Double(world.now.monotonic) / 1000))))
    }
  }

  private mutating func command() {
    if Int.random(in: 0..<3, using: &random) > 0 { nextID += 1 }
    let from = RFC3339.text(world.now.wall - 60_000)
    let verb = [
      #""start""#, #""stop""#, #""status""#, #""start","args":{"from":"\#(from)"}"#,
      #""query","args":{"from":"\#(from)"}"#,
    ].randomElement(using: &random)
    world.command(#"{"id":"c\#(nextID)","command":\#(verb ?? "")}"#)
  }

  /// Lets all come right again, and tells what did not.
  mutating func faultsAtTheEnd() -> [String] {
    world.journal.fault = nil
    world.holdsJournal = false
    world.completeAllOfJournal()
    if world.isConnected { world.disconnect() }
    world.holdsAcknowledgements = false
    world.advance(130_000)
    world.connect()
    world.advance(120_000)
    var faults = world.faults + world.consumer.faults
    let committed = world.journal.steps
    if world.consumer.steps != committed { faults.append("received \(world.consumer.steps) of \(committed) steps") }
    if world.consumer.records.count != world.journal.records.count { faults.append("not all records arrived") }
    if world.journal.acknowledged.count != world.journal.records.count { faults.append("not all is acknowledged") }
    if world.state?["total_steps"] != .integer(Int64(committed)) {
      faults.append("the state says \(String(describing: world.state?["total_steps"])) of \(committed)")
    }
    return faults + totals() + answers()
  }

  private func totals() -> [String] {
    var last: Int64 = 0
    for state in world.payloads(on: "steps2mqtt/p1/state") {
      guard case .integer(let total) = state["total_steps"] else { return ["a state without total_steps"] }
      if total < last { return ["total_steps went from \(last) to \(total)"] }
      last = total
    }
    return []
  }

  /// A crash before the disk worked again may have lost an answer `failed`, so only the others are compared.
  private func answers() -> [String] {
    var first: [String: JSONValue] = [:]
    for answer in world.answers where answer["code"] != .string("internal") {
      guard let id = answer["id"]?.text else { continue }
      if let known = first[id] {
        for member in ["code", "ts", "seq", "command", "data"] where known[member] != answer[member] {
          return ["\(id) was answered twice: \(member) \(known) \(answer)"]
        }
      } else {
        first[id] = answer
      }
    }
    return []
  }
}
