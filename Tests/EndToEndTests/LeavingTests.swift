import BrokerTesting
import Foundation
import Testing

@Suite struct LeavingTests {
  @Test func `told to end in the middle of a replay it leaves within 5 s, says offline, and sends the rest later`()
    async throws
  {
    let place = try Workplace(seed: 2)
    let subscriber = try await place.subscriber()
    place.broker.stop()
    let away = try RunningAgent(
      journal: place.journal(), port: place.port, recording: place.recording, speed: "20", "tracking.start=always",
      "tracking.update_interval_s=0.1")
    try await wait("the end of the walk") { away.logText.contains("recording ended") ? true : nil }
    try await Task.sleep(for: .milliseconds(300))
    #expect(try await away.stop() == 0)

    try place.broker.start()
    let second = try await place.subscriber()
    let replaying = try RunningAgent(
      journal: place.journal(), port: place.port, "tracking.start=last", "mqtt.replay_rate=1")
    try await wait("the replay") { second.messages("walker", "history").isEmpty ? nil : true }
    let start = ContinuousClock.now
    #expect(try await replaying.stop() == 0)
    #expect(start.duration(to: .now) < .seconds(5))
    try await wait("the farewell") {
      second.messages("walker", "availability").last?.payload == "offline" ? true : nil
    }
    let counted = try await Product.count(place.recording)
    #expect(second.steps(of: "walker") < counted, "it left in the middle")

    let last = try RunningAgent(
      journal: place.journal(), port: place.port, "tracking.start=never", "mqtt.replay_rate=0")
    try await wait("the rest") { second.steps(of: "walker") >= counted ? true : nil }
    #expect(Subscriber.steps(of: "walker", at: [subscriber, second]) == counted)
    #expect(try await last.stop() == 0)
  }

  @Test func `told to end while the broker hangs it leaves within 5 s all the same`() async throws {
    let place = try Workplace()
    let subscriber = try await place.subscriber()
    // It takes 4.2 s: a machine that is too busy for the rest has three tries.
    var took: [Duration] = []
    repeat {
      let before = subscriber.messages("walker", "state").count
      let agent = try RunningAgent(
        journal: place.journal(), port: place.port, recording: place.recording, speed: "10", "tracking.start=always")
      // States of the one before may come late, when the broker is thawed.
      try await wait("the agent") {
        agent.logText.contains("broker: connected") && subscriber.messages("walker", "state").count > before
          ? true : nil
      }
      place.broker.freeze()
      defer { place.broker.thaw() }
      let start = ContinuousClock.now
      #expect(try await agent.stop() == 0)
      took.append(start.duration(to: .now))
    } while took.count < 3 && took.allSatisfy { $0 >= .seconds(5) }
    #expect(took.contains { $0 < .seconds(5) }, "\(took)")
  }

  @Test func `told to end at any moment of a walk it leaves at once when the broker answers`() async throws {
    let place = try Workplace()
    let subscriber = try await place.subscriber()
    for round in 0..<8 {
      let before = subscriber.messages("walker", "availability").count
      let agent = try RunningAgent(
        journal: place.journal(), port: place.port, recording: place.recording, speed: "4", "tracking.start=always")
      try await wait("the agent") { subscriber.messages("walker", "availability").count > before ? true : nil }
      try await Task.sleep(for: .milliseconds(round * 170))
      let start = ContinuousClock.now
      #expect(try await agent.stop() == 0)
      #expect(start.duration(to: .now) < .seconds(3), "round \(round): \(agent.logText)")
    }
  }
}
