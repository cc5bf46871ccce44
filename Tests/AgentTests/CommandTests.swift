import Agent
import AgentTesting
import Motion
import Testing
import Wire

@Suite struct CommandTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let payload: String
    let status: String
    let code: String
    let id: JSONValue
    var testDescription: String { String(payload.prefix(60)) }

    init(_ payload: String, _ status: String, _ code: String, id: JSONValue = .string("a")) {
      self.payload = payload
      self.status = status
      self.code = code
      self.id = id
    }
  }

  static let cases: [Case] = [
    Case("start", "done", "ok", id: .null),
    Case(" stop\n", "done", "ok", id: .null),
    Case("status", "done", "ok", id: .null),
    Case("announce", "done", "ok", id: .null),
    Case("sync", "rejected", "unknown_command", id: .null),
    Case("dance", "rejected", "unknown_command", id: .null),
    Case("\"start\"", "rejected", "bad_json", id: .null),
    Case("[]", "rejected", "bad_json", id: .null),
    Case("{", "rejected", "bad_json", id: .null),
    Case(#"{"id":"a"}"#, "rejected", "bad_json"),
    Case(#"{"id":"a","command":7}"#, "rejected", "bad_json"),
    Case(#"{"id":7,"command":"start"}"#, "rejected", "bad_json", id: .null),
    Case(#"{"id":"","command":"start"}"#, "rejected", "bad_json", id: .null),
    Case(#"{"id":"\#(String(repeating: "x", count: 65))","command":"start"}"#, "rejected", "bad_json", id: .null),
    Case(#"{"id":"a","command":"start"}"#, "done", "ok"),
    Case(#"{"id":"a","command":"start","args":[]}"#, "rejected", "bad_json"),
    Case(#"{"id":"a","command":"start","args":{"from":"yesterday"}}"#, "rejected", "bad_json"),
    Case(#"{"id":"a","command":"start","args":{"from":"2026-11-30T08:00:00Z"}}"#, "done", "ok"),
    Case(#"{"id":"a","command":"start","args":{"from":"2026-11-01T08:00:00Z"}}"#, "rejected", "not_allowed"),
    Case(#"{"id":"a","command":"start","args":{"from":"2026-11-30T09:00:00Z"}}"#, "rejected", "not_allowed"),
    Case(#"{"id":"a","command":"start","ts":"2026-11-30T08:14:00Z","ttl_s":60}"#, "done", "ok"),
    Case(#"{"id":"a","command":"start","ts":"2026-11-30T08:13:00Z","ttl_s":60}"#, "expired", "expired"),
    Case(#"{"id":"a","command":"start","ts":"2026-11-30T09:13:00Z","ttl_s":60}"#, "done", "ok"),
    Case(#"{"id":"a","command":"start","ttl_s":-1}"#, "rejected", "bad_json"),
    Case(#"{"id":"a","command":"query"}"#, "rejected", "bad_json"),
    Case(#"{"id":"a","command":"query","args":{"from":"2026-11-30T08:00:00Z"}}"#, "done", "ok"),
    Case(
      #"{"id":"a","command":"query","args":{"from":"2026-11-30T08:00:00Z","to":"2026-11-30T07:00:00Z"}}"#, "rejected",
      "not_allowed"),
    Case(
      #"{"id":"a","command":"query","args":{"from":"2026-11-30T00:00:00Z","bucket":1}}"#, "rejected", "not_allowed"),
    Case(
      #"{"id":"a","command":"query","args":{"from":"2026-11-30T00:00:00Z","bucket":"week"}}"#, "rejected", "bad_json"),
    Case(#"{"id":"a","command":"calibrate"}"#, "rejected", "bad_json"),
    Case(#"{"id":"a","command":"calibrate","args":{"step_length_m":0.7}}"#, "done", "ok"),
    Case(#"{"id":"a","command":"calibrate","args":{"step_length_m":9}}"#, "rejected", "bad_json"),
    Case(#"{"id":"a","command":"calibrate","args":{"distance_m":100}}"#, "rejected", "not_allowed"),
    Case(#"{"id":"a","command":"configure","args":{"wearer.height_m":1.8}}"#, "done", "ok"),
    Case(#"{"id":"a","command":"configure","args":{"wearer.height_m":"tall"}}"#, "rejected", "not_allowed"),
    Case(#"{"id":"a","command":"configure","args":{"mqtt.password_file":"/x"}}"#, "rejected", "not_allowed"),
    Case(#"{"id":"a","command":"configure"}"#, "rejected", "bad_json"),
    Case(#"{"id":"a","command":"sync"}"#, "done", "ok"),
    Case(#"{"id":"a","command":"rm -rf"}"#, "rejected", "unknown_command"),
    Case(#"{"id":"a","command":"start","x":\#(String(repeating: "[", count: 9))"#, "rejected", "bad_json", id: .null),
    Case(String(repeating: " ", count: 5000), "rejected", "too_large", id: .null),
  ]

  @Test(arguments: cases)
  func `each command gets one answer`(_ item: Case) {
    var world = World(.testing())
    world.connect()
    let message = world.command(item.payload)
    #expect(world.answers.count == 1)
    let answer = world.answers.first
    #expect(answer?["status"] == .string(item.status))
    #expect(answer?["code"] == .string(item.code))
    #expect(answer?["id"] == item.id)
    if item.code != "ok" { #expect(answer?["reason"] != .string("")) }
    #expect(world.confirmed == [message])
  }

  @Test func `an empty payload is ignored, and acknowledged`() {
    var world = World(.testing())
    world.connect()
    let message = world.command(" ")
    #expect(world.answers == [])
    #expect(world.confirmed == [message])
  }

  @Test func `invalid UTF-8 is refused`() {
    var world = World(.testing())
    world.connect()
    world.send(.broker(.message(Message(number: 9, topic: "steps2mqtt/p1/command", payload: [0xFF, 0xFE, 0x7B]))))
    #expect(world.answers.first?["code"] == .string("bad_json"))
    #expect(world.confirmed == [9])
  }

  @Test func `a command is acknowledged after its commit, not before`() {
    var world = World(.testing())
    world.connect()
    world.holdsJournal = true
    let message = world.command(#"{"id":"a","command":"start"}"#)
    #expect(world.confirmed == [] && world.answers == [])
    world.completeJournal()
    #expect(world.confirmed == [] && world.answers == [])
    world.completeJournal()
    #expect(world.confirmed == [message])
    #expect(world.answers.count == 1)
    #expect(world.journal.answers.map(\.id) == ["a"])
  }

  @Test func `a repeated id gets the first answer again, across a crash too`() {
    var world = World(.testing())
    world.connect()
    world.command(#"{"id":"a","command":"start"}"#)
    world.command("stop")
    world.command(#"{"id":"a","command":"start"}"#)
    world.crash()
    world.connect()
    world.command(#"{"id":"a","command":"start"}"#)
    #expect(world.state?["started"] == .bool(false))
    let answers = world.answers.filter { $0["id"] == .string("a") }
    #expect(answers.map { $0["status"]?.text } == ["done", "duplicate", "duplicate"])
    #expect(Set(answers.map { $0["ts"]?.text }).count == 1)
    #expect(Set(answers.map { $0["code"]?.text }) == ["ok"])
  }

  @Test func `a retained command is refused`() {
    var world = World(.testing())
    world.connect()
    world.command("start", retained: true)
    #expect(world.answers.first?["code"] == .string("retained"))
    #expect(!world.isSensorOpen)
  }

  @Test func `beyond 20 commands in a second the answer is busy, and a second later it is not`() {
    var world = World(.testing())
    world.connect()
    for number in 0..<30 { world.command(#"{"id":"\#(number)","command":"status"}"#) }
    #expect(world.answers.count { $0["code"] == .string("ok") } == 20)
    #expect(world.answers.count { $0["code"] == .string("busy") } == 10)
    #expect(world.confirmed.count == 30)
    world.advance(1000)
    world.command(#"{"id":"later","command":"status"}"#)
    #expect(world.answers.last?["code"] == .string("ok"))
  }

  @Test func `commands that a slow disk keeps waiting make the answer busy, and say so`() {
    var world = World(.testing())
    world.connect()
    world.holdsJournal = true
    for number in 0..<80 {
      world.command(#"{"id":"\#(number)","command":"query","args":{"from":"2026-11-30T00:00:00Z"}}"#)
      world.advance(100)
    }
    world.holdsJournal = false
    world.completeAllOfJournal()
    world.advance(10_000)
    let busy = world.answers.filter { $0["code"] == .string("busy") }
    #expect(!busy.isEmpty && world.answers.count == 80)
    #expect(busy.allSatisfy { $0["reason"] == .string("64 commands wait for the disk already") })
  }

  @Test func `the fleet's and the group's commands are answered on the own topic, another group's are ignored`() {
    var world = World(.testing())
    world.connect()
    world.command("status", topic: "steps2mqtt/_all/command")
    world.command("status", topic: "steps2mqtt/_group/yard/command")
    world.command("status", topic: "steps2mqtt/_group/other/command")
    #expect(world.answers.count == 2)
    #expect(world.confirmed.count == 3)
  }

  @Test(arguments: [
    ("steps2mqtt/cli/answers", true), ("lab/x", true), ("elsewhere/x", false), ("steps2mqtt/p1/command", false),
    ("steps2mqtt/+/x", false), ("", false),
  ])
  func `an answer goes where it is wanted only below the root or an allowed prefix`(topic: String, isFollowed: Bool) {
    var world = World(.testing { $0.responsePrefixes = ["lab/"] })
    world.connect()
    world.command("status", responseTopic: topic, correlation: [1, 2])
    let answer = world.published.last { $0.topic == (isFollowed ? topic : "steps2mqtt/p1/response") }
    #expect(answer?.correlation == [1, 2])
  }

  @Test func `without a clock only the broker's expiry counts`() {
    var world = World(.testing(), now: Instant(monotonic: 1000, wall: 1000, synchronized: false))
    world.connect()
    world.command(#"{"id":"a","command":"start","ts":"1960-01-01T00:00:00Z","ttl_s":1}"#)
    #expect(world.answers.first?["code"] == .string("ok"))
  }

  @Test func `a query adds up what was counted, in buckets where they are wanted`() {
    var world = World(.testing())
    world.connect()
    world.command("start")
    world.walk(10)
    let from = RFC3339.text(world.now.wall - 60_000)
    world.command(#"{"id":"q","command":"query","args":{"from":"\#(from)","bucket":30}}"#)
    let data = world.answers.last?["data"]
    #expect(data?["steps"] == .integer(10))
    #expect(data?["distance_m"] == .integer(7) || data?["distance_m"] == .number(7))
    if case .array(let buckets) = data?["buckets"] { #expect(buckets.count == 2) } else { Issue.record("no buckets") }
  }

  @Test func `a query has at most 200 buckets`() {
    var world = World(.testing())
    world.connect()
    let (from, to) = (RFC3339.text(world.now.wall - 200_000), RFC3339.text(world.now.wall))
    for (id, from, code) in [("fits", from, "ok"), ("one more", RFC3339.text(world.now.wall - 200_001), "not_allowed")]
    {
      world.command(#"{"id":"\#(id)","command":"query","args":{"from":"\#(from)","to":"\#(to)","bucket":1}}"#)
      #expect(world.answers.last?["code"] == .string(code))
    }
  }

  @Test func `calibrating by a distance sets the step length, and a restart keeps it`() {
    var world = World(.testing())
    world.connect()
    world.command("start")
    world.walk(100)
    world.command(#"{"id":"c","command":"calibrate","args":{"distance_m":80}}"#)
    #expect(world.wearer?.stepLength == 0.8)
    world.crash()
    #expect(world.wearer?.stepLength == 0.8)
  }

  @Test func `while the disk refuses, a command is followed and its answer says what that is worth`() {
    var world = World(.testing())
    world.connect()
    world.journal.fault = "no space left"
    let message = world.command(#"{"id":"a","command":"start"}"#)
    #expect(world.isSensorOpen)
    #expect(world.answers.last?["status"] == .string("failed"))
    #expect(world.answers.last?["code"] == .string("internal"))
    #expect(world.confirmed == [message])
    world.command(#"{"id":"a","command":"start"}"#)
    #expect(world.answers.last?["status"] == .string("duplicate"))
    world.journal.fault = nil
    world.advance(60_000)
    #expect(world.state?["started"] == .bool(true))
    #expect(world.journal.answers.map(\.id) == ["a"])
  }
}
