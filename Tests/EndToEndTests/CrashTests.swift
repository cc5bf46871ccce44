import Foundation
import Glibc
import Motion
import Sensors
import Testing

@Suite(.serialized) struct CrashTests {
  /// How many times the agent is killed: some in `make test`, as many as `STEPS_KILLS` says in `make soak`.
  private static let kills = ProcessInfo.processInfo.environment["STEPS_KILLS"].flatMap { Int($0) } ?? 10
  private static let speed = 8.0

  /// One life of the agent, as the test saw it.
  private struct Life {
    /// When it was killed, in s on the boot-time clock.
    let end: Double
  }

  @Test func `kill -9 at random moments loses at most what 5 s hold, and no event, no command, no number`()
    async throws
  {
    let place = try Workplace(seed: 3)
    let subscriber = try await place.subscriber()
    let walk = Foresight(seed: 3)
    var random = SystemRandomNumberGenerator()
    var lives: [Life] = []
    for number in 0..<Self.kills {
      let agent = try RunningAgent(
        journal: place.journal(), port: place.port, recording: place.recording, speed: "\(Int(Self.speed))",
        "tracking.start=always", "mqtt.replay_rate=0", "log.level=error")
      let length = Int.random(in: 100...3500, using: &random)
      try await Task.sleep(for: .milliseconds(length / 2))
      // Before the first connection of all the broker knows of no session to keep it for.
      if number > 0 {
        try await publish("steps2mqtt/walker/command", #"{"id":"k\#(number)","command":"status"}"#, port: place.port)
      }
      try await Task.sleep(for: .milliseconds(length / 2))
      agent.kill()
      lives.append(Life(end: bootTime()))
    }
    let last = try RunningAgent(
      journal: place.journal(), port: place.port, recording: place.recording, "tracking.start=always",
      "mqtt.replay_rate=0", exitAtEnd: true)
    #expect(try await last.waitForEnd() == 0, "\(last.logText)")
    let total = try #require(subscriber.state(of: "walker")?["total_steps"].int)
    try await wait("all committed steps") { subscriber.steps(of: "walker") >= total ? true : nil }
    // What was told and had not reached the disk the agent forgot, and the subscriber did not.
    #expect(subscriber.steps(of: "walker") <= total + Self.kills * 25)

    let messages = subscriber.messages
    checkTotals(messages)
    let repeated = checkContents(subscriber.allRecords(of: "walker"))
    let losses = checkLosses(subscriber.records(of: "walker"), lives, walk)
    let answers = messages.filter { $0.leaf == "response" }.map(\.json)
    for number in 1..<Self.kills {
      let mine = answers.filter { $0["id"].text == "k\(number)" }
      #expect(!mine.isEmpty, "command k\(number) has no answer")
      #expect(Set(mine.map { $0["seq"].int }).count <= 1, "command k\(number) has two answers")
    }
    print(
      """
      kill -9: \(Self.kills) kills, \(total) steps committed and received once, \
      \(subscriber.steps(of: "walker") - total) more that were told before a kill took them, \(losses.seen) lives with steps, \
      \(losses.found) steps found in them 0.2 s before the kill, \
      \(losses.steps) steps lost, at most \(losses.worst) in one life, \(losses.late) beyond 5 s, \
      \(losses.events) events lost, \(Self.kills - 1) commands answered, \(repeated) records came twice
      """)
  }

  private func checkTotals(_ messages: [Subscriber.Message]) {
    var highest = 0
    for state in messages.filter({ $0.leaf == "state" }).map(\.json) {
      #expect(state["total_steps"].int >= highest)
      highest = max(highest, state["total_steps"].int)
    }
  }

  /// Checks that no number stands for two records; gives how many came more than once.
  private func checkContents(_ records: [JSON]) -> Int {
    var contents: [Int: String] = [:]
    var repeated = 0
    for record in records {
      let content = "\(record["kind"].text) \(record["event_type"].text) \(record["steps"].int)"
      #expect(contents[record["seq"].int] ?? content == content, "one number, one content")
      if contents.updateValue(content, forKey: record["seq"].int) != nil { repeated += 1 }
    }
    return repeated
  }

  /// Compares each life's records with what its engine had found by the moment of the kill.
  ///
  /// A life is told from the next by the gap that the journal leaves in its numbers. When its recording began follows
  /// from its first resume event.
  private func checkLosses(
    _ records: [JSON], _ lives: [Life], _ walk: Foresight
  ) -> (seen: Int, found: Int, steps: Int, worst: Int, late: Int, events: Int) {
    var result = (seen: 0, found: 0, steps: 0, worst: 0, late: 0, events: 0)
    let ends = lives.map(\.end)
    var groups: [[JSON]] = []
    for record in records.sorted(by: { $0["seq"].int < $1["seq"].int }) {
      if let before = groups.last?.last, record["seq"].int - before["seq"].int < 5000 {
        groups[groups.count - 1].append(record)
      } else {
        groups.append([record])
      }
    }
    for group in groups {
      guard let resume = group.first(where: { $0["event_type"].text == "resume" }) else { continue }
      let begin = Double(resume["mono_ms"].int) / 1000 - walk.firstResume
      guard let end = ends.first(where: { $0 > begin }) else { continue }
      // The engine gets its samples up to 0.2 s late, by any clock.
      let reached = (end - begin - 0.2) * Self.speed
      let steps = group.reduce(0) { $0 + ($1["kind"].text == "steps" ? $1["steps"].int : 0) }
      let lost = max(0, walk.steps(by: reached) - steps)
      result.seen += 1
      result.found += walk.steps(by: reached)
      result.steps += lost
      result.worst = max(result.worst, lost)
      if steps < walk.steps(by: reached - 5) { result.late += 1 }
      let events = group.count { ["pause", "resume"].contains($0["event_type"].text) }
      // What was found in the very last moment may still have been on its way to the disk.
      result.events += max(0, walk.events(by: reached - 5) - events)
    }
    #expect(result.seen > 0 || lives.count < 5)
    #expect(result.late == 0, "steps are lost that were counted more than 5 s before the kill")
    #expect(result.events == 0, "pauses or resumes are lost")
    return result
  }

  private func bootTime() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_BOOTTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// What the engine finds in a recording, by the recording's own time.
private struct Foresight {
  /// When the engine has found each step, in s.
  private var found: [Double] = []
  private var changes: [Double] = []
  /// The moment of the first resume, in s.
  private(set) var firstResume = 0.0

  init(seed: UInt64) {
    var pedometer = Pedometer()
    let samples = Array(SyntheticWalk(SyntheticWalk.Configuration(seed: seed)).samples(rate: 50))
    for sample in samples {
      pedometer.take(sample) { event in
        switch event {
        case .step: found.append(sample.time)
        case .pedometer(let event):
          if changes.isEmpty { firstResume = event.time - (samples.first?.time ?? 0) }
          changes.append(sample.time)
        case .activity, .floor: break
        }
      }
    }
  }

  func steps(by time: Double) -> Int { found.count { $0 <= time } }
  func events(by time: Double) -> Int { changes.count { $0 <= time } }
}
