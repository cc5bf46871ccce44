import Agent
import AgentTesting
import Testing
import Wire

/// The clocks' tables: what is counted stays counted, and today is the wearer's.
@Suite struct ClockTests {
  /// A script: a start, then what the clock does between ten steps and five more.
  struct Script: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var start = Instant.start
    let change: @Sendable (inout World) -> Void
    /// Steps of today at the end; all of them are in the total.
    let today: Int
  }

  private static let hour: Int64 = 3_600_000
  /// 28 February 2028, 23:59 UTC: the day before a leap day.
  private static let leapEve = Instant(monotonic: 600_000, wall: 1_835_395_140_000)

  static let scripts: [Script] = [
    Script(testDescription: "an hour ahead", change: { $0.now.wall += hour }, today: 15),
    Script(testDescription: "an hour back", change: { $0.now.wall -= hour }, today: 15),
    Script(testDescription: "ten years ahead", change: { $0.now.wall += 87_660 * hour }, today: 5),
    Script(
      testDescription: "ten years ahead and back",
      change: {
        $0.now.wall += 87_660 * hour
        $0.advance(60_000)
        $0.now.wall -= 87_660 * hour
      }, today: 15),
    Script(
      testDescription: "slewing by a second a minute for an hour",
      change: {
        for _ in 0..<60 {
          $0.advance(60_000)
          $0.now.wall += 1000
        }
      }, today: 15),
    Script(testDescription: "daylight saving", change: { $0.now.zoneOffset += 3600 }, today: 15),
    Script(
      testDescription: "a journey east to a day that had begun before the first step",
      change: { $0.now.zoneOffset = 16 * 3600 }, today: 15),
    Script(
      testDescription: "a journey east to a day that began after the first steps",
      change: {
        $0.advance(hour / 2)
        $0.now.zoneOffset = 31 * 1800
      }, today: 5),
    Script(testDescription: "suspended for an hour", change: { $0.suspend(hour) }, today: 15),
    Script(testDescription: "midnight", change: { $0.advance(16 * hour) }, today: 5),
    Script(
      testDescription: "midnight before a leap day", start: leapEve, change: { $0.advance(60_000) }, today: 5),
    Script(
      testDescription: "midnight after a leap day", start: leapEve, change: { $0.advance(25 * hour) }, today: 5),
  ]

  @Test(arguments: scripts)
  func `clocks move no count, and today follows them`(_ script: Script) {
    var world = World(.testing(), now: script.start)
    world.connect()
    world.command("start")
    world.walk(10)
    world.advance(2000)
    script.change(&world)
    world.walk(5)
    world.advance(2000)
    #expect(world.state?["total_steps"] == .integer(15))
    #expect(world.state?["session_steps"] == .integer(15))
    #expect(world.state?["today_steps"] == .integer(Int64(script.today)))
    #expect(world.consumer.steps == 15)
    #expect(world.faults == [] && world.inspector.faults == [])
  }

  @Test(arguments: [hour, -hour])
  func `a query over both sides of a jump has every step`(jump: Int64) {
    var world = World(.testing())
    world.connect()
    world.command("start")
    world.walk(10)
    world.advance(2000)
    world.now.wall += jump
    world.walk(5)
    let (from, to) = (RFC3339.text(world.now.wall - 3 * Self.hour), RFC3339.text(world.now.wall + 2 * Self.hour))
    world.command(#"{"id":"q","command":"query","args":{"from":"\#(from)","to":"\#(to)"}}"#)
    #expect(world.answers.last?["data"]?["steps"] == .integer(15))
  }

  private static let unknown = Instant(monotonic: 20_000, wall: 20_000, synchronized: false)
  /// What a clock shows that systemd has set to when it was built, twenty seconds ago: 27 April 2026.
  private static let built = Instant(monotonic: 20_000, wall: 1_777_319_354_000, synchronized: false)

  @Test(arguments: [unknown, built])
  func `records without a date wait online for the clock, and are dated once it is right`(clock: Instant) {
    var world = World(.testing { $0.firstPossibleDate = Self.built.wall + 24 * Self.hour }, now: clock)
    world.connect()
    world.command("start")
    world.walk(10)
    world.advance(60_000)
    #expect(world.consumer.records.isEmpty)
    #expect(world.state?["total_steps"] == .integer(10))
    world.now.wall = Instant.start.wall
    world.now.synchronized = true
    // Noticed with whatever happens next, a report of health at the latest.
    world.advance(61_000)
    #expect(world.consumer.steps == 10)
    #expect(world.consumer.records.values.allSatisfy { $0["clock"] == .string("synchronized") })
    #expect(world.state?["today_steps"] == .integer(10))
  }

  @Test func `once the clock is right the agent's start has its date, too`() {
    var world = World(.testing(), now: Self.unknown)
    world.connect()
    world.advance(10_000)
    world.now.wall = Instant.start.wall
    world.now.synchronized = true
    world.command("announce")
    world.advance(1000)
    let start = world.retained("steps2mqtt/p1/info")?["agent_start"]?.text.flatMap(RFC3339.milliseconds)
    #expect(start.map { Instant.start.wall - $0 } == 10_000)
  }

  @Test func `a clock that may be right holds nothing up, though nobody vouches for it`() {
    var now = Instant.start
    now.synchronized = false
    var world = World(.testing(), now: now)
    world.connect()
    world.command("start")
    world.walk(10)
    world.advance(2000)
    #expect(world.consumer.steps == 10)
    #expect(world.consumer.records.values.allSatisfy { $0["clock"] == .string("unsynchronized") })
  }

  @Test func `after 120 s online they go out without a date, offline time does not count`() {
    var world = World(.testing(), now: Self.unknown)
    world.connect()
    world.command("start")
    world.walk(10)
    world.disconnect()
    world.advance(600_000)
    world.connect()
    world.advance(100_000)
    #expect(world.consumer.records.isEmpty)
    world.advance(20_000)
    #expect(world.consumer.steps == 10)
    #expect(world.consumer.records.values.allSatisfy { $0["clock"] == .string("unsynchronized") })
  }

  @Test func `a session of before a power cut keeps its date when the clock comes right`() {
    var world = World(.testing())
    world.connect()
    world.command("start")
    world.walk(3)
    world.advance(2000)
    let began = world.state?["session_start"]
    world.now.wall = 20_000
    world.now.synchronized = false
    world.crash(reboot: true)
    world.connect()
    world.now.wall = Instant.start.wall + Self.hour
    world.now.synchronized = true
    world.advance(2000)
    #expect(world.state?["session_start"] == began)
    #expect(began != nil && began != .null)
  }

  @Test func `a start from earlier keeps what is walked while the history is asked`() {
    var world = World(.testing { $0.counting = .always })
    world.connect()
    world.walk(10)
    world.advance(2000)
    world.holdsJournal = true
    let from = RFC3339.text(world.now.wall - 60_000)
    world.command(#"{"id":"a","command":"start","args":{"from":"\#(from)"}}"#)
    while !world.requests.contains(where: { if case .sums = $0 { true } else { false } }) { world.completeJournal() }
    world.walk(4)
    world.holdsJournal = false
    world.completeAllOfJournal()
    world.advance(2000)
    #expect(world.state?["session_steps"] == .integer(14))
    #expect(world.state?["distance_m"]?.double == 9.8)
  }

  @Test func `an answer that a crash kept from arriving comes after it`() {
    var world = World(.testing())
    world.connect()
    world.holdsAcknowledgements = true
    world.command(#"{"id":"a","command":"start"}"#)
    world.crash()
    world.holdsAcknowledgements = false
    world.connect()
    world.advance(2000)
    #expect(world.consumer.answeredIDs == ["a"])
    #expect(world.inspector.contradicted == [])
  }
}
