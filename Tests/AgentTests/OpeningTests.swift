import Agent
import AgentTesting
import Motion
import Testing
import Wire

/// The agent starts though its journal cannot be opened, and goes on in it once it can.
@Suite struct OpeningTests {
  /// What an agent left in the journal before.
  enum Past: CaseIterable, Sendable {
    case nothing, running, stopped
  }

  private func journal(_ past: Past) -> MemoryJournal {
    var world = World(.testing())
    switch past {
    case .nothing: return MemoryJournal()
    case .running:
      world.command("start")
      world.walk(40)
      world.advance(2000)
    case .stopped:
      world.command("start")
      world.walk(40)
      world.command("stop")
    }
    return world.journal
  }

  private func missing(_ past: Past) -> MemoryJournal {
    var journal = journal(past)
    journal.isOpen = false
    journal.fault = "read-only"
    return journal
  }

  private func epoch(_ record: JSONValue?) -> String? { record?["epoch"]?.text }

  @Test(arguments: Past.allCases)
  func `steps counted while the journal is missing go on top of what it knows`(past: Past) {
    let before = journal(past)
    let old = before.records.last?.seq ?? 0
    var world = World(.testing(), journal: missing(past))
    world.connect()
    #expect(world.isSensorOpen, "nobody knows whether a session ran, so it counts")
    world.walk(30)
    #expect(world.consumer.records.isEmpty, "nothing goes out that is not on disk")
    #expect(world.state == nil, "a total that nobody knows is not said")
    #expect(world.payloads(on: "steps2mqtt/p1/info").isEmpty, "nor is an epoch")

    world.journal.fault = nil
    world.advance(61_000)
    #expect(world.journal.steps == before.steps + 30)
    #expect(world.consumer.steps == before.steps + 30, "what was left from before comes too")
    #expect(world.state?["total_steps"] == .integer(Int64(before.steps + 30)))
    #expect(world.state?["started"] == .bool(past == .running))
    #expect(world.isSensorOpen == (past == .running))
    if past == .running { #expect(world.state?["session_steps"] == .integer(70)) }
    #expect(world.journal.records.dropFirst(before.records.count).allSatisfy { $0.seq > old })
    #expect(Set(world.consumer.records.keys.map(\.epoch)).count == 1, "one epoch for all of it")
    #expect(world.consumer.faults.isEmpty)
    #expect(world.faults.isEmpty)

    let total = world.state?["total_steps"]
    world.crash()
    world.connect()
    #expect(world.state?["total_steps"] == total)
  }

  @Test func `the configuration decides about the session when the journal is there`() {
    for (start, past, isRunning) in [
      (Machine.Configuration.Start.always, Past.stopped, true), (.always, .nothing, true), (.never, .running, false),
    ] {
      var world = World(.testing { $0.start = start }, journal: missing(past))
      world.walk(10)
      world.journal.fault = nil
      world.advance(61_000)
      world.connect()
      #expect(world.state?["started"] == .bool(isRunning), "\(start) after \(past)")
      if start == .always { #expect(world.state?["session_steps"] == .integer(10)) }
    }
  }

  @Test func `a command given while the journal is missing outlives its opening`() {
    var world = World(.testing(), journal: missing(.running))
    world.connect()
    world.walk(10)
    world.command(#"{"id":"a","command":"stop"}"#)
    #expect(world.answers.last?["status"] == .string("failed"), "it cannot be kept over a restart")
    world.journal.fault = nil
    world.advance(61_000)
    #expect(world.state?["started"] == .bool(false))
    #expect(world.state?["total_steps"] == .integer(50))
    world.crash()
    world.connect()
    world.command(#"{"id":"a","command":"stop"}"#)
    #expect(world.answers.last?["status"] == .string("duplicate"))
  }

  @Test(arguments: Past.allCases)
  func `a start given while the session is only assumed makes it a real one`(past: Past) {
    var world = World(.testing(), journal: missing(past))
    world.connect()
    world.walk(10)
    world.command(#"{"id":"a","command":"start"}"#)
    world.walk(10)
    world.journal.fault = nil
    world.advance(61_000)
    #expect(world.state?["started"] == .bool(true), "somebody wanted it")
    #expect(world.isSensorOpen)
    #expect(world.state?["session_steps"] == .integer(past == .running ? 60 : 20))
    #expect(
      world.consumer.records.values.contains {
        $0["event_type"]?.text == "started" && $0["reason"]?.text == "command"
      })
    #expect(world.faults.isEmpty)
    world.crash()
    world.connect()
    #expect(world.state?["started"] == .bool(true))
  }

  @Test func `health says that the journal is missing, and that it is there again`() {
    var world = World(.testing(), journal: missing(.nothing))
    world.connect()
    world.advance(6000)
    #expect(world.payloads(on: "steps2mqtt/p1/health").last?["journal"] == .string("read-only"))
    world.journal.fault = nil
    world.advance(61_000)
    #expect(world.payloads(on: "steps2mqtt/p1/health").last?["journal"] == .string("ok"))
  }

  @Test func `a journal that has to be opened again keeps its epoch, and no number is used twice`() {
    var world = World(.testing())
    world.connect()
    world.command("start")
    world.walk(20)
    world.journal.fault = "I/O error"
    world.walk(20)
    world.journal.fault = nil
    world.journal.isOpen = false
    world.advance(61_000)
    #expect(world.consumer.steps == 40)
    #expect(Set(world.consumer.records.keys.map(\.epoch)).count == 1)
    #expect(world.consumer.faults.isEmpty)
    #expect(world.state?["total_steps"] == .integer(40))
  }

  @Test func `reading the configuration again tries the disk at once`() {
    var world = World(.testing(), journal: missing(.nothing))
    world.walk(10)
    world.journal.fault = nil
    world.send(.configured(.testing { $0.updateInterval = 5000 }))
    #expect(world.journal.steps == 10)
  }

  @Test func `a changed configuration holds from the next step on, unless a command said otherwise`() {
    var world = World(.testing { $0.start = .always })
    world.connect()
    world.walk(4)
    world.send(
      .configured(
        .testing {
          $0.updateInterval = 10_000
          $0.wearer.height = 1.9
          $0.name = "Rover"
        }))
    #expect(world.wearer?.height == 1.9)
    #expect(world.payloads(on: "steps2mqtt/p1/info").last?["name"] == .string("Rover"))
    let before = world.journal.records.count { $0.kind == .steps }
    world.walk(40)
    #expect(world.journal.records.count { $0.kind == .steps } <= before + 3)
    world.command(#"{"id":"c","command":"configure","args":{"tracking.update_interval_s":1}}"#)
    world.send(.configured(.testing { $0.updateInterval = 60_000 }))
    let then = world.journal.records.count { $0.kind == .steps }
    world.walk(20)
    #expect(world.journal.records.count { $0.kind == .steps } >= then + 8)
  }

  @Test func `another client with our id is told in health at once`() {
    var world = World(.testing())
    world.connect(Connection(alarm: "does another client use the id?"))
    #expect(world.payloads(on: "steps2mqtt/p1/health").last?["broker"] == .string("does another client use the id?"))
  }
}
