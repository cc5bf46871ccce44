import Agent
import AgentTesting
import Motion
import Testing
import Wire

@Suite struct SessionTests {
  @Test func `starts, counts, publishes at most once a second, and stops`() {
    var world = World(.testing())
    world.connect()
    #expect(!world.isSensorOpen)
    world.command("start")
    #expect(world.isSensorOpen)
    world.walk(20)
    world.advance(2000)
    let steps = world.payloads(on: "steps2mqtt/p1/steps")
    #expect(steps.count >= 9 && steps.count <= 11)
    #expect(world.consumer.steps == 20)
    #expect(world.state?["session_steps"] == .integer(20))
    #expect(world.state?["started"] == .bool(true))
    world.command("stop")
    #expect(!world.isSensorOpen)
    #expect(world.state?["started"] == .bool(false))
    #expect(world.state?["total_steps"] == .integer(20))
    #expect(world.events == ["started", "stopped"])
    #expect(world.answers.map { $0["code"]?.text } == ["ok", "ok"])
    #expect(world.faults == [])
  }

  @Test func `a second start changes nothing and says so`() {
    var world = World(.testing())
    world.connect()
    world.command("start")
    world.walk(5)
    world.command(#"{"id":"b","command":"start"}"#)
    #expect(world.answers.last?["code"] == .string("already_started"))
    world.advance(2000)
    #expect(world.state?["session_steps"] == .integer(5))
    #expect(world.events == ["started"])
  }

  @Test func `a fresh start counts from 0, and the total goes on`() {
    var world = World(.testing())
    world.connect()
    world.command("start")
    world.walk(5)
    world.command("stop")
    world.command("start")
    world.walk(3)
    world.advance(2000)
    #expect(world.state?["session_steps"] == .integer(3))
    #expect(world.state?["total_steps"] == .integer(8))
  }

  @Test func `what the engine holds back at a stop belongs to the session`() {
    var world = World(.testing())
    world.connect()
    world.command("start")
    world.walk(2)
    world.heldBack = [.step(Step(time: 601, duration: 0.5, length: 0.7, cadence: 2))]
    world.command("stop")
    #expect(world.state?["session_steps"] == .integer(3))
    #expect(world.consumer.steps == 3)
  }

  @Test func `a start from earlier takes in what the history holds`() {
    var world = World(.testing { $0.counting = .always })
    world.connect()
    world.walk(10)
    world.advance(60_000)
    world.walk(4)
    let from = RFC3339.text(world.now.wall - 30_000)
    world.command(#"{"id":"a","command":"start","args":{"from":"\#(from)"}}"#)
    #expect(world.answers.last?["code"] == .string("ok"))
    world.walk(2)
    world.advance(2000)
    #expect(world.state?["session_steps"] == .integer(6))
    #expect(world.state?["session_start"] == .string(from))
    #expect(world.state?["total_steps"] == .integer(16))
  }

  @Test(arguments: [
    (Machine.Configuration.Start.last, true, true), (.last, false, false), (.always, false, true),
    (.never, true, false),
  ])
  func `whether a session runs after a restart follows the setting`(
    setting: Machine.Configuration.Start, before: Bool, after: Bool
  ) {
    var first = World(.testing())
    if before { first.command("start") }
    var second = World(.testing { $0.start = setting }, journal: first.journal)
    second.connect()
    #expect(second.state?["started"] == .bool(after))
    #expect(second.isSensorOpen == after)
  }

  @Test func `a session survives a crash with all that was committed`() {
    var world = World(.testing())
    world.connect()
    world.command("start")
    world.walk(7)
    world.advance(2000)
    world.crash()
    #expect(world.isSensorOpen)
    world.connect()
    #expect(world.state?["session_steps"] == .integer(7))
    world.walk(3)
    world.advance(2000)
    #expect(world.state?["session_steps"] == .integer(10))
    #expect(world.consumer.steps == 10)
    #expect(world.consumer.faults == [])
  }

  @Test func `pause and resume are dated at the step, not at their detection, and follow the steps before them`() {
    var world = World(.testing())
    world.connect()
    world.command("start")
    world.walk(3)
    let lastStep = world.now
    world.advance(1500)
    world.send(.motion(.pedometer(PedometerEvent(kind: .pause, time: Double(lastStep.monotonic) / 1000))))
    let pause = world.payloads(on: "steps2mqtt/p1/event").last
    #expect(pause?["event_type"] == .string("pause"))
    #expect(pause?["ts"] == .string(RFC3339.text(lastStep.wall)))
    #expect(pause?["steps"] == .integer(3))
    #expect(world.state?["walking"] == .bool(false))
    #expect(world.consumer.steps == 3)
  }

  @Test func `today begins anew at the wearer's midnight, and a record never spans it`() {
    // 23:59:58 in a zone two hours east.
    let now = Instant(monotonic: 600_000, wall: 1_796_075_998_000, zoneOffset: 7200)
    var world = World(.testing { $0.updateInterval = 10_000 }, now: now)
    world.connect()
    world.command("start")
    world.walk(8)
    world.advance(20_000)
    #expect(world.consumer.steps == 8)
    #expect(world.state?["total_steps"] == .integer(8))
    let days = Set(world.journal.records.filter { $0.kind == .steps }.map { ($0.wallEnd + 7_200_000) / 86_400_000 })
    #expect(days.count == 2)
    #expect(world.state?["today_steps"] == .integer(5))
  }

  @Test func `at midnight today is 0 though nobody walks`() {
    // 23:59:50 in a zone two hours east.
    let now = Instant(monotonic: 600_000, wall: 1_796_075_990_000, zoneOffset: 7200)
    var world = World(.testing(), now: now)
    world.connect()
    world.command("start")
    world.walk(8)
    world.advance(1500)
    #expect(world.state?["today_steps"] == .integer(8))
    world.advance(5500)
    #expect(world.state?["today_steps"] == .integer(0))
    #expect(world.state?["total_steps"] == .integer(8))
    #expect(world.faults == [])
  }

  @Test func `with counting always, steps outside a session are history, and no event tells of them`() {
    var world = World(.testing { $0.counting = .always })
    world.connect()
    world.walk(6)
    world.send(.motion(.pedometer(PedometerEvent(kind: .pause, time: Double(world.now.monotonic) / 1000))))
    world.advance(2000)
    #expect(world.events == [])
    #expect(world.consumer.steps == 6)
    #expect(world.state?["session_steps"] == .integer(0))
    #expect(world.state?["total_steps"] == .integer(6))
    world.command("start")
    world.command("stop")
    #expect(world.isSensorOpen)
  }

  @Test func `a lost sensor is told once, keeps the session, and comes back`() {
    var world = World(.testing())
    world.connect()
    world.command("start")
    world.send(.sensor(.found(SensorIdentity(name: "walk.csv", rate: 50))))
    world.walk(3)
    world.send(.sensor(.lost(SensorLoss(reason: "unplugged"))))
    world.send(.sensor(.lost(SensorLoss(reason: "unplugged"))))
    #expect(world.state?["sensor"] == .string("absent"))
    world.send(.sensor(.found(SensorIdentity(name: "walk.csv", rate: 50))))
    #expect(world.events == ["started", "sensor_lost", "sensor_found"])
    #expect(world.state?["sensor"] == .string("present"))
    #expect(world.state?["session_steps"] == .integer(3))
  }

  @Test func `a moved clock is an event and moves no count`() {
    var world = World(.testing())
    world.connect()
    world.command("start")
    world.walk(3)
    world.now.wall += 3_600_000
    world.walk(3)
    world.advance(2000)
    #expect(world.events == ["started", "clock_step"])
    #expect(world.payloads(on: "steps2mqtt/p1/event").last?["step_ms"] == .integer(3_600_000))
    #expect(world.state?["session_steps"] == .integer(6))
    #expect(world.state?["today_steps"] == .integer(6))
  }

  @Test func `records taken without a clock are dated when they are sent`() {
    var world = World(.testing(), now: Instant(monotonic: 20_000, wall: 20_000, synchronized: false))
    world.command("start")
    world.walk(2)
    world.advance(2000)
    world.now.wall = 1_796_026_500_000
    world.now.synchronized = true
    world.connect()
    world.advance(5000)
    let first = world.consumer.records.values.first { $0["kind"] == .string("steps") }
    #expect(first?["clock"] == .string("synchronized"))
    #expect(first?["end"]?.text?.hasPrefix("2026-11-30T08:14:5") == true)
    #expect(world.state?["session_start"]?.text?.hasPrefix("2026-11-30T08:14:5") == true)
    #expect(world.state?["today_steps"] == .integer(2))
  }
}
