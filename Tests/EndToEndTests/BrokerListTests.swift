import BrokerTesting
import Foundation
import Testing

/// A list of brokers, with some that cannot be reached, through the built program.
@Suite(.timeLimit(.minutes(4))) struct BrokerListTests {
  private func brokers(_ list: String...) -> String { "mqtt.brokers=\(list.joined(separator: ","))" }

  @Test(arguments: DeafPort.Depth.allCases)
  func `a first broker that never answers costs one deadline, and the second gets all`(
    depth: DeafPort.Depth
  ) async throws {
    let place = try Workplace(seed: 2)
    let subscriber = try await place.subscriber()
    let deaf = try DeafPort(depth)
    let agent = try RunningAgent(
      journal: place.journal(), port: place.port, recording: place.recording, "tracking.start=always",
      "mqtt.replay_rate=0",
      more: [brokers("mqtt://127.0.0.1:\(deaf.port)", "mqtt://127.0.0.1:\(place.port)")], exitAtEnd: true)
    #expect(try await agent.waitForEnd() == 0, "\(agent.logText)")
    let counted = try await Product.count(place.recording)
    try await wait("all steps") { subscriber.steps(of: "walker") >= counted ? true : nil }
    #expect(subscriber.steps(of: "walker") == counted)
    #expect(agent.logText.contains("within 10"), "\(agent.logText)")
  }

  @Test func `a command finds the broker that answers, and names all of them where none does`() async throws {
    let place = try Workplace()
    let subscriber = try await place.subscriber()
    let agent = try RunningAgent(journal: place.journal(), port: place.port)
    try await wait("the agent") { subscriber.state(of: "walker") }
    // Names without an address: no other test can come to listen there.
    let list = brokers("mqtt://first.invalid:1883", "mqtt://127.0.0.1:\(place.port)")
    let status = try await Product.run("status", "walker", "--timeout", "60", "--set", list)
    #expect(status.status == 0, "\(status.output)")
    #expect(status.output.contains("status: done"))

    let none = try await Product.run(
      "status", "walker", "--timeout", "60", "--set", brokers("mqtt://first.invalid:1883", "mqtt://second.invalid:1883")
    )
    #expect(none.status == 1)
    #expect(none.output.contains("'first.invalid'") && none.output.contains("'second.invalid'"), "\(none.output)")
    #expect(try await agent.stop() == 0)
  }

  @Test func `a name without an address costs nothing but a line in the log`() async throws {
    let place = try Workplace()
    let subscriber = try await place.subscriber()
    let agent = try RunningAgent(
      journal: place.journal(), port: place.port, recording: place.recording, "tracking.start=always",
      "mqtt.replay_rate=0",
      more: [brokers("mqtt://nowhere.invalid:1883", "mqtt://127.0.0.1:\(place.port)")], exitAtEnd: true)
    #expect(try await agent.waitForEnd() == 0, "\(agent.logText)")
    #expect(agent.logText.contains("'nowhere.invalid' has no address"), "\(agent.logText)")
    let counted = try await Product.count(place.recording)
    try await wait("all steps") { subscriber.steps(of: "walker") >= counted ? true : nil }
    #expect(subscriber.steps(of: "walker") == counted)
  }

  @Test func `the agent goes to the second broker when the first dies, and back when the second does`() async throws {
    let (place, second) = (try Workplace(seed: 2), try Workplace())
    let (here, there) = (try await place.subscriber(), try await second.subscriber())
    let agent = try RunningAgent(
      journal: place.journal(), port: place.port, recording: place.recording, speed: "5", "tracking.start=always",
      "mqtt.replay_rate=0",
      more: [brokers("mqtt://127.0.0.1:\(place.port)", "mqtt://127.0.0.1:\(second.port)")], exitAtEnd: true)
    try await wait("the first steps") { here.steps(of: "walker") > 10 ? true : nil }
    place.broker.kill()
    try await wait("steps at the second") { there.steps(of: "walker") > 10 ? true : nil }
    // What the first had taken when it died may not have reached its subscriber.
    try place.broker.start()
    let back = try await place.subscriber()
    second.broker.kill()
    try await wait("the return", seconds: 60) { back.state(of: "walker") }
    #expect(try await agent.waitForEnd() == 0, "\(agent.logText)")
    let counted = try await Product.count(place.recording)
    let all = [here, there, back]
    try await wait("all steps") { Subscriber.steps(of: "walker", at: all) >= counted ? true : nil }
    #expect(Subscriber.steps(of: "walker", at: all) == counted)
    #expect(back.state(of: "walker")?["total_steps"].int == counted)
  }

  @Test func `what access rules refuse is named in health, kept, and delivered once they allow it`() async throws {
    let place = try Workplace(
      seed: 2,
      access: [
        "topic readwrite steps2mqtt/walker/availability", "topic readwrite steps2mqtt/walker/state",
        "topic readwrite steps2mqtt/walker/health", "topic readwrite steps2mqtt/walker/command",
        "topic readwrite ready/#", "topic readwrite homeassistant/#",
      ])
    let subscriber = try await place.subscriber()
    let agent = try RunningAgent(
      journal: place.journal(), port: place.port, recording: place.recording, speed: "20", "tracking.start=always")
    try await wait("the agent") { subscriber.state(of: "walker") }
    try await publish("steps2mqtt/walker/command", #"{"id":"a","command":"status"}"#, port: place.port)
    let refused = ["info", "steps", "event", "response"]
    try await wait("health to name what is refused") {
      let broker = subscriber.messages("walker", "health").last?.json["broker"].text ?? ""
      return refused.allSatisfy { broker.contains("\($0): refused") } ? true : nil
    }
    try await wait("the end of the walk", seconds: 60) { agent.logText.contains("recording ended") ? true : nil }
    #expect(try await agent.stop() == 0, "\(agent.logText)")
    let counted = try await Product.count(place.recording)
    #expect(subscriber.state(of: "walker")?["total_steps"].int == counted, "what is allowed goes on")

    // The same journal at a broker that takes all.
    let other = try Workplace()
    let after = try await other.subscriber()
    let next = try RunningAgent(
      journal: place.journal(), port: other.port, "tracking.start=never", "mqtt.replay_rate=0")
    try await wait("all steps") { after.steps(of: "walker") >= counted ? true : nil }
    #expect(after.steps(of: "walker") == counted)
    try await wait("the answer that is owed") {
      after.messages("walker", "response").contains { $0.json["id"].text == "a" } ? true : nil
    }
    #expect(try await next.stop() == 0)
  }

  @Test func `two agents with one id throw each other out seldom, and health says why`() async throws {
    let place = try Workplace()
    let subscriber = try await place.subscriber()
    let first = try RunningAgent(journal: place.journal("first"), port: place.port)
    let second = try RunningAgent(journal: place.journal("second"), port: place.port)
    try await wait("the suspicion", seconds: 60) {
      let both = first.logText + second.logText
      return both.contains("does another client use the id") ? true : nil
    }
    let connections = place.broker.logText.matches(of: /New client connected from .* as steps2mqtt-walker/).count
    #expect(connections < 20, "\(connections)")
    #expect(!subscriber.messages("walker", "state").isEmpty)
    first.kill()
    second.kill()
  }
}
