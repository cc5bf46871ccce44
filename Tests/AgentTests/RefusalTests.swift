import Agent
import AgentTesting
import Motion
import Testing
import Wire

/// What the broker refuses is told, kept or parked, and tried again; nothing is lost silently.
@Suite struct RefusalTests {
  @Test func `a record refused for its size is parked, told, and never sent again`() {
    var world = World.walking()
    world.outcome = { $0.topic.hasSuffix("/steps") ? .unacceptable(reason: "too large") : .acknowledged }
    world.connect()
    world.walk(2)
    world.advance(120_000)
    #expect(world.events.contains("record_parked"))
    #expect(world.published.count { $0.topic == "steps2mqtt/p1/steps" } == 2)
    #expect(world.consumer.steps == 0)
    #expect(world.payloads(on: "steps2mqtt/p1/health").last?["parked"] != .integer(0))
  }

  @Test func `an event refused for its size is parked and told as well`() {
    var world = World.walking()
    let reason = String(repeating: "a very long reason ", count: 20)
    world.outcome = { $0.payload.count > 400 ? .unacceptable(reason: "too large") : .acknowledged }
    world.connect()
    world.send(.sensor(.lost(SensorLoss(reason: reason))))
    world.advance(120_000)
    let events = world.consumer.records.values.compactMap { $0["event_type"]?.text }
    #expect(events.contains("record_parked") && !events.contains("sensor_lost"))
  }

  @Test func `a batch refused for its size is halved until only what is too large is parked`() {
    var world = World.walking()
    world.walk(60)
    world.outcome = {
      $0.topic.hasSuffix("/history") && $0.payload.count > 3000 ? .unacceptable(reason: "too large") : .acknowledged
    }
    world.connect()
    world.advance(60_000)
    #expect(world.consumer.steps == 60)
    #expect(!world.events.contains("record_parked"))
  }

  @Test func `a lane that access rules refuse rests, keeps its records, and health says so`() {
    var world = World.walking()
    world.outcome = { $0.topic.hasSuffix("/steps") ? .denied(reason: "not authorised") : .acknowledged }
    world.connect()
    world.walk(20)
    #expect(world.published.count { $0.topic == "steps2mqtt/p1/steps" } == 1)
    world.advance(70_000)
    #expect(world.consumer.steps == 20)
    #expect(world.payloads(on: "steps2mqtt/p1/health").contains { $0["broker"]?.text?.contains("not auth") == true })
  }

  /// What `health` says of the broker.
  private func fault(_ world: World) -> String? { world.payloads(on: "steps2mqtt/p1/health").last?["broker"]?.text }

  /// Refuses all that goes to the topics with an ending.
  private static func refusing(_ ending: String) -> @Sendable (Publication) -> PublishOutcome {
    { $0.topic.hasSuffix(ending) ? .denied(reason: "not authorised") : .acknowledged }
  }

  @Test(arguments: ["/availability", "/info", "/config", "/state"])
  func `a refused retained topic is told again until it is taken, ever more seldom`(ending: String) {
    var world = World.walking()
    world.outcome = Self.refusing(ending)
    world.connect()
    for _ in 0..<60 {
      world.walk(2)
      world.advance(59_000)
    }
    let tries = world.published.count { $0.topic.hasSuffix(ending) }
    #expect((10...18).contains(tries), "an hour at 60 s, 120 s, 240 s and then each 300 s: \(tries)")
    #expect(fault(world)?.contains("not authorised") == true, "what is taken elsewhere does not clear it")
    let topic = world.published.last { $0.topic.hasSuffix(ending) }?.topic ?? ""
    #expect(world.retained(topic) == nil)
    world.outcome = { _ in .acknowledged }
    world.advance(301_000)
    #expect(world.published.last { $0.topic == topic }.map(\.payload) == world.retained[topic])
    world.advance(60_000)
    #expect(fault(world) == "ok")
    #expect(world.state?["total_steps"] == .integer(120))
    #expect(world.faults == [])
  }

  @Test func `a lane's fault stands until something of that lane is taken`() {
    var world = World.walking()
    world.outcome = Self.refusing("/history")
    world.walk(20)
    world.connect()
    world.walk(200)
    #expect(world.consumer.steps == 200)
    #expect(fault(world) == "history: refused: not authorised")
    world.outcome = { _ in .acknowledged }
    world.advance(400_000)
    #expect(world.consumer.steps == 220)
    #expect(fault(world) == "ok")
  }

  @Test func `events go on live while steps are refused`() {
    var world = World.walking()
    world.outcome = Self.refusing("/steps")
    world.connect()
    world.walk(10)
    world.send(.motion(.pedometer(PedometerEvent(kind: .pause, time: Double(world.now.monotonic) / 1000))))
    #expect(world.events.last == "pause")
  }

  @Test func `an answer that is refused waits and comes once, with its first words`() {
    var world = World(.testing())
    world.connect()
    world.outcome = Self.refusing("/response")
    for id in 1...3 { world.command(#"{"id":"\#(id)","command":"status"}"#) }
    world.advance(3000)
    #expect(fault(world) == "response: refused: not authorised")
    #expect(world.consumer.answeredIDs == [])
    world.outcome = { _ in .acknowledged }
    world.advance(61_000)
    #expect(world.consumer.answeredIDs == ["1", "2", "3"])
    #expect(world.answers.suffix(3).compactMap { $0["status"]?.text } == ["done", "done", "done"])
    #expect(world.inspector.contradicted == [])
    world.advance(60_000)
    #expect(fault(world) == "ok")
  }

  @Test func `an answer that is refused and waits survives a crash`() {
    var world = World(.testing())
    world.connect()
    world.outcome = Self.refusing("/response")
    world.command(#"{"id":"a","command":"start"}"#)
    world.advance(5000)
    world.crash()
    world.outcome = { _ in .acknowledged }
    world.connect()
    #expect(world.consumer.answeredIDs == ["a"])
  }

  @Test func `an answer that may not go where its command asked goes to the device's own topic`() {
    var world = World(.testing())
    world.connect()
    world.outcome = Self.refusing("/elsewhere")
    world.command(
      #"{"id":"a","command":"status"}"#, responseTopic: "steps2mqtt/desk/elsewhere", correlation: [1, 2])
    #expect(world.consumer.answeredIDs == ["a"])
    #expect(world.published.last { $0.topic == "steps2mqtt/p1/response" }?.correlation == [1, 2])
    world.advance(60_000)
    #expect(fault(world) == "ok", "what a stranger's topic refuses is no fault of ours")
  }

  private let query = #"{"id":"q","command":"query","args":{"from":"2026-11-30T00:00:00Z","bucket":600}}"#

  @Test(arguments: [nil, 600])
  func `an answer too large for the broker is replaced by a short one, never lost`(maximumPacket: Int?) {
    var world = World.walking()
    world.outcome = { $0.payload.count > 500 && !$0.retain ? .unacceptable(reason: "too large") : .acknowledged }
    world.connect(Connection(maximumPacket: maximumPacket))
    world.command(query)
    world.command(#"{"id":"s","command":"stop"}"#)
    let answers = world.answers.filter { $0["id"] != .null && $0["state"] == .null }
    #expect(answers.map { $0["id"]?.text } == ["q", "s"])
    #expect(answers.map { $0["status"]?.text } == ["failed", "done"])
    #expect(answers.map { $0["code"]?.text } == ["too_large", "ok"])
    #expect(answers.allSatisfy { $0["reason"]?.text?.contains("larger") == true && $0["command"] != .null })
    #expect(world.consumer.answeredIDs == ["q", "s"])
    world.command(query)
    #expect(world.answers.last?["status"] == .string("duplicate"))
    #expect(world.answers.last?["code"] == .string("too_large"))
    if maximumPacket != nil {
      #expect(!world.published.contains { $0.topic.hasSuffix("/response") && $0.payload.count > 500 })
    }
  }

  @Test func `an answer that the broker takes in no form is given up, and health says so`() {
    var world = World(.testing())
    world.outcome = { $0.topic.hasSuffix("/response") ? .unacceptable(reason: "no") : .acknowledged }
    world.connect()
    world.command(#"{"id":"a","command":"status"}"#, correlation: [1])
    world.advance(5000)
    #expect(fault(world) == "response: an answer was given up: no")
    #expect(world.published.count { $0.topic.hasSuffix("/response") } == 3, "whole, short, without its correlation")
  }

  @Test func `a refused subscription stands in health for as long as the connection does`() {
    var world = World(.testing())
    world.connect()
    world.send(.broker(.subscriptionRefused(topic: "steps2mqtt/p1/command", reason: "not authorised")))
    world.walk(20)
    world.advance(60_000)
    #expect(fault(world) == "no commands on steps2mqtt/p1/command: not authorised")
    world.disconnect()
    world.connect()
    world.advance(60_000)
    #expect(fault(world) == "ok")
  }
}
