import BrokerTesting
import Foundation
import Motion
import Sensors
import Testing

@Suite struct ReloadTests {
  private func write(_ text: String, _ place: Workplace) throws -> URL {
    let file = place.directory.appending(path: "steps2mqtt.yaml")
    try Data(text.utf8).write(to: file)
    return file
  }

  private func brokers(_ ports: UInt16...) -> String {
    "mqtt:\n  brokers: [\(ports.map { "mqtt://127.0.0.1:\($0)" }.joined(separator: ", "))]\n"
  }

  @Test func `another broker takes over in the middle of a walk, and no step is lost`() async throws {
    let (place, other) = (try Workplace(seed: 2), try Workplace())
    let (here, there) = (try await place.subscriber(), try await other.subscriber())
    let config = try write(brokers(place.port), place)
    let agent = try RunningAgent(
      journal: place.journal(), recording: place.recording, speed: "10", "tracking.start=always",
      "mqtt.replay_rate=0", config: config, exitAtEnd: true)
    try await wait("the first steps") { here.steps(of: "walker") > 20 ? true : nil }
    _ = try write(brokers(other.port), place)
    agent.hangUp()
    try await wait("the other broker") { there.state(of: "walker") }
    try await wait("the farewell") {
      here.messages("walker", "availability").last?.payload == "offline" ? true : nil
    }
    #expect(try await agent.waitForEnd() == 0, "\(agent.logText)")
    let counted = try await Product.count(place.recording)
    let both = [here, there]
    try await wait("all steps", seconds: 10) { Subscriber.steps(of: "walker", at: both) >= counted ? true : nil }
    #expect(Subscriber.steps(of: "walker", at: both) == counted)
    #expect(there.state(of: "walker")?["total_steps"].int == counted)
  }

  @Test func `samples that come by messages are heard at the other broker, too`() async throws {
    let (place, other) = (try Workplace(), try Workplace())
    let there = try await other.subscriber()
    let samples = "sensor:\n  source: mqtt\n  mqtt: {topic: phones/anna}\n"
    let config = try write(brokers(place.port) + samples, place)
    let agent = try RunningAgent(
      journal: place.journal(), "tracking.start=always", "sensor.source=mqtt", config: config)
    try await wait("the connection") { agent.logText.contains("sensor: mqtt") ? true : nil }
    _ = try write(brokers(other.port) + samples, place)
    agent.hangUp()
    try await wait("the other broker") { there.state(of: "walker") }
    let walk = SyntheticWalk(.init(segments: [.standing(1), .walking(20), .standing(3)])).samples(rate: 50)
    let lines = walk.map { "\(($0.time * 1000).rounded()),\($0.x),\($0.y),\($0.z)\n" }.joined()
    // Nobody says when the subscription stands: what came before is a walk of another day.
    try await wait("steps at the other broker", seconds: 120) {
      try await publish("phones/anna", lines, port: other.port)
      return there.steps(of: "walker") > 20 ? true : nil
    }
    #expect(try await agent.stop() == 0)
  }

  @Test func `a bad configuration is refused with its faults, and the old one goes on`() async throws {
    let place = try Workplace()
    let subscriber = try await place.subscriber()
    let config = try write(brokers(place.port), place)
    let agent = try RunningAgent(journal: place.journal(), config: config)
    try await wait("the agent") { subscriber.state(of: "walker") }
    _ = try write("mqtt:\n  keepalive_s: soon\n", place)
    agent.hangUp()
    try await wait("the refusal") { agent.logText.contains("configuration: refused") ? true : nil }
    #expect(agent.logText.contains("keepalive_s"))
    let answer = try await place.order("walker", #"{"id":"a","command":"status"}"#, id: "a", heardBy: subscriber)
    #expect(answer["status"].text == "done")
    #expect(try await agent.stop() == 0)
  }

  @Test func `groups, name and credentials take effect, what cannot is named`() async throws {
    let place = try Workplace()
    let subscriber = try await place.subscriber()
    let config = try write(brokers(place.port), place)
    let agent = try RunningAgent(journal: place.journal(), config: config)
    try await wait("the agent") { subscriber.state(of: "walker") }
    _ = try write(
      brokers(place.port) + "device:\n  groups: [yard]\n  name: Rover\nsensor:\n  rate_hz: 100\n", place)
    agent.hangUp()
    try await wait("the name") {
      subscriber.messages("walker", "info").last?.json["name"].text == "Rover" ? true : nil
    }
    #expect(agent.logText.contains("sensor.rate_hz changes at the next start"))
    try await wait("an answer to the group's command") {
      try await publish("steps2mqtt/_group/yard/command", #"{"id":"g","command":"status"}"#, port: place.port)
      return subscriber.messages("walker", "response").contains { $0.json["id"].text == "g" } ? true : nil
    }
    #expect(try await agent.stop() == 0)
  }

  @Test func `a refused password is put right without a restart, and without waiting for the next try`() async throws {
    let place = try Workplace(seed: 2)
    let broker = try TestBroker(passwords: ["rover": "right"])
    let password = place.directory.appending(path: "password")
    try Data("wrong\n".utf8).write(to: password)
    let config = try write(
      brokers(broker.port) + "  username: rover\n  password_file: \(password.path)\n", place)
    let agent = try RunningAgent(
      journal: place.journal(), recording: place.recording, "tracking.start=always", config: config, exitAtEnd: true)
    try await wait("the refusal") { agent.logText.contains("refuses user 'rover'") ? true : nil }
    try Data("right\n".utf8).write(to: password)
    agent.hangUp()
    #expect(try await agent.waitForEnd() == 0, "\(agent.logText)")
  }
}
