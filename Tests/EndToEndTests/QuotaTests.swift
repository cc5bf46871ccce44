import Testing

@Suite struct QuotaTests {
  @Test(arguments: [(0x97 as UInt8, "Quota exceeded (0x97)"), (0x80, "Unspecified error (0x80)")])
  func `what a broker refuses for now is named in health, waits, and arrives once it is taken`(
    reason: UInt8, words: String
  ) async throws {
    let place = try Workplace()
    let line = try RefusingLine(to: place.port)
    let subscriber = try await place.subscriber()
    line.refuse(["steps", "history", "event"], reason: reason)
    // Its own time is thirty times ours: a lane that was refused rests for a minute and more.
    let agent = try RunningAgent(
      journal: place.journal(), port: line.port, "tracking.start=always", "mqtt.replay_rate=0",
      "sensor.synthetic.speed=30")
    func fault() -> String { subscriber.messages("walker", "health").last?.json["broker"].text ?? "" }
    try await wait("health to name it", seconds: 60) {
      let fault = fault()
      return ["steps", "event"].allSatisfy { fault.contains("\($0): refused: \(words)") } ? true : nil
    }
    #expect(subscriber.steps(of: "walker") == 0)
    #expect(line.refused < 20, "each lane is tried, not hammered")
    line.allow()
    try await wait("health to take it back", seconds: 120) { fault() == "ok" ? true : nil }
    _ = try await place.order("walker", #"{"id":"s","command":"stop"}"#, id: "s", heardBy: subscriber)
    let total = try await wait("the end of the session") {
      subscriber.state(of: "walker").flatMap { $0["started"].bool ? nil : $0["total_steps"].int }
    }
    #expect(total > 0)
    try await wait("all steps", seconds: 120) { subscriber.steps(of: "walker") >= total ? true : nil }
    #expect(subscriber.steps(of: "walker") == total)
    #expect(Set(subscriber.allRecords(of: "walker").map { $0["seq"].int }).count >= 4)
    #expect(try await agent.stop() == 0, "\(agent.logText)")
  }
}
