import Agent
import AgentTesting
import Motion
import Testing
import Wire

/// Commands that come late, again, without what they need, or with too much.
@Suite struct StrictCommandTests {
  private func online(_ change: (inout Machine.Configuration) -> Void = { _ in }) -> World {
    var world = World(.testing(change))
    world.connect()
    return world
  }

  @Test(arguments: [(1000 as Int64, "done"), (999, "expired")])
  func `a command that waited longer than the broker let it live is expired`(expiry: Int64, status: String) {
    var world = online()
    world.holdsJournal = true
    world.command(#"{"id":"a","command":"start"}"#, expiry: expiry)
    world.advance(1000)
    world.completeAllOfJournal()
    #expect(world.answers.last?["status"] == .string(status))
    #expect(world.isSensorOpen == (status == "done"))
  }

  @Test func `the broker's expiry counts without a clock, what the command says of itself does not`() {
    var world = World(.testing(), now: Instant(monotonic: 20_000, wall: 20_000, synchronized: false))
    world.connect()
    world.command(#"{"id":"a","command":"start","ts":"2020-01-01T00:00:00Z","ttl_s":1}"#)
    #expect(world.answers.last?["status"] == .string("done"))
    world.holdsJournal = true
    world.command(#"{"id":"b","command":"stop"}"#, expiry: 500)
    world.advance(1000)
    world.completeAllOfJournal()
    #expect(world.answers.last?["status"] == .string("expired"))
  }

  @Test func `a stored command that a bridge brings again as a new one is told by its id`() {
    var world = online()
    let stored = #"{"id":"old","command":"start"}"#
    world.command(stored)
    world.command(#"{"id":"b","command":"stop"}"#)
    for _ in 0..<3 {
      world.disconnect()
      world.crash()
      world.connect()
      world.command(stored)
      #expect(world.answers.last?["status"] == .string("duplicate"))
      #expect(!world.isSensorOpen)
    }
  }

  @Test(arguments: ["start", #"{"command":"start"}"#])
  func `behind a bridge a command without an id can be refused`(payload: String) {
    var world = online { $0.requiresID = true }
    world.command(payload)
    #expect(world.answers.last?["code"] == .string("not_allowed"))
    #expect(!world.isSensorOpen)
    world.command(#"{"id":"a","command":"start"}"#)
    #expect(world.isSensorOpen)
  }

  @Test func `correlation data beyond what an answer can repeat is refused, without it`() {
    var world = online()
    world.command(#"{"id":"a","command":"start"}"#, correlation: Array(repeating: 1, count: 1025))
    #expect(world.answers.last?["code"] == .string("too_large"))
    #expect(world.published.last { $0.topic.hasSuffix("/response") }?.correlation == [])
    world.command(#"{"id":"b","command":"start"}"#, correlation: Array(repeating: 1, count: 1024))
    #expect(world.answers.last?["status"] == .string("done"))
  }

  @Test func `what commands changed stands in info, and null gives it back to the configuration`() {
    var world = online()
    world.command(#"{"id":"a","command":"configure","args":{"wearer.height_m":1.9,"tracking.update_interval_s":5}}"#)
    world.command(#"{"id":"b","command":"calibrate","args":{"step_length_m":0.8}}"#)
    #expect(world.wearer?.height == 1.9)
    let set: JSONValue = .object([
      "wearer.height_m": .number(1.9), "wearer.step_length_m": .number(0.8), "tracking.update_interval_s": .number(5),
    ])
    #expect(world.retained("steps2mqtt/p1/info")?["configured"] == set)
    world.command(#"{"id":"c","command":"configure","args":{"wearer.height_m":null,"wearer.step_length_m":null}}"#)
    #expect(world.wearer == Pedometer.Configuration())
    #expect(
      world.retained("steps2mqtt/p1/info")?["configured"] == .object(["tracking.update_interval_s": .number(5)]))
  }

  @Test(arguments: [
    #""calibrate","args":{"step_length_m":0.19}"#, #""calibrate","args":{"step_length_m":2.01}"#,
    #""configure","args":{"wearer.step_length_m":0.19}"#, #""configure","args":{"wearer.step_length_m":2.01}"#,
    #""configure","args":{"wearer.height_m":"tall"}"#, #""configure","args":{"tracking.update_interval_s":0.09}"#,
  ])
  func `values out of range are refused alike, wherever they come from`(command: String) {
    var world = online()
    world.command(#"{"id":"a","command":\#(command)}"#)
    #expect(world.answers.last?["status"] == .string("rejected"))
    #expect(world.wearer == Pedometer.Configuration())
  }

  @Test(arguments: [
    #""query","args":{"from":"2026-11-30T00:00:00Z"}"#, #""start","args":{"from":"2026-11-30T00:00:00Z"}"#,
  ])
  func `a device that does not know the date says so, and not that the past lies ahead`(command: String) {
    var world = World(.testing(), now: Instant(monotonic: 20_000, wall: 20_000, synchronized: false))
    world.connect()
    world.command(#"{"id":"a","command":\#(command)}"#)
    #expect(world.answers.last?["reason"]?.text?.contains("date") == true)
  }

  @Test func `the answers that are remembered are bounded in bytes, and the journal knows the others`() {
    var world = World.walking()
    world.connect()
    world.walk(10)
    for id in 0..<14 {
      let query = #"{"id":"\#(id)","command":"query","args":{"from":"2026-11-30T00:00:00Z","bucket":150}}"#
      world.command(query)
      world.advance(1000)
    }
    let first = world.answers.first { $0["id"] == .string("0") }
    world.command(#"{"id":"0","command":"status"}"#)
    #expect(world.answers.last?["status"] == .string("duplicate"))
    #expect(world.answers.last?["data"] == first?["data"])
  }
}
