import Foundation
import Testing

@Suite(.serialized) struct CrashTests {
  @Test func `kill -9 at random moments loses no committed record and takes no total back`() async throws {
    let place = try Workplace(seed: 3)
    let subscriber = try await place.subscriber()
    var random = SystemRandomNumberGenerator()
    for _ in 0..<8 {
      let agent = try RunningAgent(
        journal: place.journal(), port: place.port, recording: place.recording, speed: "20", "tracking.start=always",
        "mqtt.replay_rate=0")
      try await Task.sleep(for: .microseconds(UInt32.random(in: 100_000...2_000_000, using: &random)))
      agent.kill()
    }
    let last = try RunningAgent(
      journal: place.journal(), port: place.port, recording: place.recording, "tracking.start=always",
      "mqtt.replay_rate=0", exitAtEnd: true)
    #expect(try await last.waitForEnd() == 0, "\(last.logText)")

    let total = try #require(subscriber.state(of: "walker")?["total_steps"].int)
    try await wait("all committed steps") { subscriber.steps(of: "walker") == total ? true : nil }
    var highest = 0
    for state in subscriber.messages("walker", "state").map(\.json) {
      #expect(state["total_steps"].int >= highest)
      highest = max(highest, state["total_steps"].int)
    }
    var contents: [Int: Int] = [:]
    for record in subscriber.messages.filter({ ["steps", "event"].contains($0.leaf) }).map(\.json) {
      let steps = record["kind"].text == "steps" ? record["steps"].int : -1
      #expect(contents[record["seq"].int] ?? steps == steps, "one number, one content")
      contents[record["seq"].int] = steps
    }
  }
}
