import BrokerTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(4)), .enabled(if: FaultyLine.program != nil, "the lab's fault proxy is not here (set LABS)"))
struct FaultTests {
  /// So many walks at once, since each is a broker, a proxy, an agent and two clients.
  private static let turnstile = Turnstile(6)

  @Test(arguments: Trouble.all)
  func `no step is lost and none counts twice`(when trouble: Trouble) async throws {
    await Self.turnstile.enter()
    defer { Task { await Self.turnstile.leave() } }
    let place = try Workplace(seed: 2, isPersistent: trouble.isPersistent, broker: trouble.broker)
    let line = try await FaultyLine(to: place.port)
    let subscriber = try await place.subscriber()
    let agent = try RunningAgent(
      journal: place.journal(), port: line.port, recording: place.recording, speed: "10", "tracking.start=always",
      "mqtt.replay_rate=0", more: trouble.settings, exitAtEnd: true)
    try await wait("the first steps") { subscriber.steps(of: "walker") > 20 ? true : nil }
    let later = try await trouble.happen(Trouble.Scene(place: place, line: line, agent: agent))
    #expect(try await agent.waitForEnd() == 0, "\(agent.logText)")

    let counted = try await Product.count(place.recording)
    let all = [subscriber, later].compactMap(\.self)
    try await wait("all steps", seconds: 10) { Subscriber.steps(of: "walker", at: all) >= counted ? true : nil }
    #expect(Subscriber.steps(of: "walker", at: all) == counted)
    let records = all.flatMap { $0.allRecords(of: "walker") }
    var contents: [Int: String] = [:]
    for record in records {
      let content = "\(record["kind"].text) \(record["event_type"].text) \(record["steps"].int)"
      #expect(contents[record["seq"].int] ?? content == content, "one number, one content")
      contents[record["seq"].int] = content
    }
    #expect(all.contains { $0.state(of: "walker")?["total_steps"].int == counted }, "the state ends true")
    #expect(all.contains { $0.messages("walker", "availability").last?.payload == "offline" })
  }
}

/// Lets only so many through at a time.
private actor Turnstile {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ free: Int) { self.free = free }

  func enter() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  func leave() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}
