import BrokerTesting
import Foundation
import Motion
import Sensors
import Testing

@Suite(.serialized) struct WalkTests {
  @Test func `every step of a recording reaches a subscriber, and the state ends true`() async throws {
    let place = try Workplace()
    let subscriber = try await place.subscriber()
    let agent = try RunningAgent(
      journal: place.journal(), port: place.port, recording: place.recording, "tracking.start=always", exitAtEnd: true)
    #expect(try await agent.waitForEnd() == 0, "\(agent.logText)")

    let counted = try await Product.count(place.recording)
    #expect(counted > 100)
    try await wait("all steps") { subscriber.steps(of: "walker") == counted ? true : nil }
    let state = try #require(subscriber.state(of: "walker"))
    #expect(state["total_steps"].int == counted)
    #expect(state["session_steps"].int == counted)
    #expect(!state["walking"].bool)
    #expect(subscriber.messages("walker", "availability").map(\.payload).last == "offline")
    let kinds = Set(subscriber.records(of: "walker").map { $0["event_type"].text })
    #expect(kinds.isSuperset(of: ["started", "pause", "resume", "activity"]))
  }

  @Test func `an outage of a broker that forgets loses no step and repeats none`() async throws {
    let place = try Workplace(seed: 2)
    let subscriber = try await place.subscriber()
    let agent = try RunningAgent(
      journal: place.journal(), port: place.port, recording: place.recording, speed: "10", "tracking.start=always",
      "mqtt.replay_rate=1000", exitAtEnd: true)
    try await wait("the first steps") { subscriber.steps(of: "walker") > 20 ? true : nil }
    place.broker.kill()
    let before = subscriber.steps(of: "walker")
    try await Task.sleep(for: .seconds(2))  // 20 s of the walk go by without a broker
    let second = try await agent.held {
      try place.broker.start()
      return try await place.subscriber()
    }
    #expect(try await agent.waitForEnd() == 0, "\(agent.logText)")

    let counted = try await Product.count(place.recording)
    try await wait("all steps") { total(subscriber, second) >= counted ? true : nil }
    #expect(total(subscriber, second) == counted)
    #expect(before < counted)
    #expect(!second.messages("walker", "history").isEmpty, "what was missed comes by way of history")
    for message in second.messages("walker", "history") {
      #expect(message.json["records"].array.allSatisfy { $0["historical"].bool })
      #expect(message.json["records"].array.count <= 50)
    }
  }

  @Test func `the floors of a recording with pressures reach state, records and Home Assistant`() async throws {
    let place = try Workplace()
    let subscriber = try await place.subscriber()
    let stairs = place.directory.appending(path: "stairs.csv")
    // The walk's last bout, from 76 s to 106 s, goes up 7 m.
    do {
      var writer = try RecordingWriter(path: stairs.path)
      for (index, sample) in SyntheticWalk(SyntheticWalk.Configuration(seed: 1)).samples(rate: 50).enumerated() {
        let height = min(max(sample.time - 78, 0), 25) * 0.28
        if index % 50 == 0 {
          writer.keep([PressureSample(time: sample.time, pressure: Float(101_325 - height / 0.08327))])
        }
        try writer.write([sample])
      }
      try writer.flush()
    }
    let agent = try RunningAgent(
      journal: place.journal(), port: place.port, recording: stairs, "tracking.start=always", exitAtEnd: true)
    #expect(try await agent.waitForEnd() == 0, "\(agent.logText)")
    try await wait("the floors") { subscriber.state(of: "walker")?["floors_ascended"].int == 2 ? true : nil }
    let steps = subscriber.records(of: "walker").filter { $0["kind"].text == "steps" }
    #expect(steps.filter { $0["floors_ascended"].int > 0 }.reduce(0) { $0 + $1["floors_ascended"].int } == 2)
    let info = subscriber.messages("walker", "info").last?.json
    #expect(info?["capabilities"]["floors"].text == "available")
    let analysis = JSON(try await Product.run("analyze", "--json", stairs.path).output)
    #expect(analysis["floors_ascended"].int == 2)
    #expect(analysis["floors_descended"].int == 0)
  }

  private func total(_ subscribers: Subscriber...) -> Int {
    var seen: Set<Int> = []
    return subscribers.flatMap { $0.records(of: "walker") }.filter { seen.insert($0["seq"].int).inserted }
      .reduce(0) { $0 + ($1["kind"].text == "steps" ? $1["steps"].int : 0) }
  }
}
