import BrokerTesting
import Foundation
import Journal
import Testing

/// Events while an outbox of 100,000 records is sent, through the built program and a real broker.
@Suite(.serialized, .timeLimit(.minutes(5))) struct LongReplayTests {
  private static let records = 100_000
  /// How late an event may be in CI, in s, beyond what its line takes; a second is promised, on a machine of its own.
  private static let latest = 5.0

  /// A journal that a walk without a broker has left, and so many records more.
  private func fill(_ place: Workplace) async throws {
    let away = try RunningAgent(
      journal: place.journal(), port: try TestBroker.freePort(), recording: place.recording, "tracking.start=never",
      "tracking.counting=always")
    try await wait("the end of the walk", seconds: 60) { away.logText.contains("recording ended") ? true : nil }
    #expect(try await away.stop() == 0)
    let (journal, recovery) = try await Journal.open(.init(directory: place.journal().path), epoch: "")
    let outbox = try await journal.unacknowledged(after: 0, upTo: .max, limit: 1000)
    let sample = try #require(outbox.last { $0.kind == .steps })
    let first = recovery.nextSequence
    for start in stride(from: first, to: first + Int64(Self.records), by: 10_000) {
      let records = (start..<start + 10_000).map { seq in
        var record = sample
        record.seq = seq
        return record
      }
      try await journal.commit(.init(records: records, state: recovery.state))
    }
    await journal.close()
  }

  /// What was seen of a replay.
  private struct Course {
    /// How long each event took from its happening to the subscriber, in s.
    var latencies: [Double] = []
    /// When records of the history came, in s since 1970, one for each record.
    var replayed: [Double] = []

    var median: Double { latencies.sorted()[latencies.count / 2] }
    var worst: Double { latencies.max() ?? .infinity }
    /// Records a second, between the first batch and the last.
    var rate: Double {
      guard let first = replayed.first, let last = replayed.last, last > first else { return 0 }
      return Double(replayed.count { $0 > first }) / (last - first)
    }
  }

  /// Starts and stops a session again and again while the replay goes on.
  private func watch(_ subscriber: Subscriber, _ place: Workplace, rounds: Int) async throws -> Course {
    func history() -> [Subscriber.Message] { subscriber.messages("walker", "history") }
    try await wait("the replay", seconds: 60) { history().isEmpty ? nil : true }
    let (before, events) = (history().count, subscriber.messages("walker", "event").count)
    for round in 0..<rounds {
      let batches = history().count
      try await wait("the replay to go on", seconds: 60) { history().count > batches ? true : nil }
      try await publish("steps2mqtt/walker/command", round % 2 == 0 ? "start" : "stop", port: place.port)
      let kind = round % 2 == 0 ? "started" : "stopped"
      try await wait("the event of round \(round)", seconds: 60) {
        subscriber.messages("walker", "event").dropFirst(events).count { $0.payload.contains(#""\#(kind)""#) }
          > round / 2 ? true : nil
      }
    }
    let happened = ISO8601DateFormatter()
    happened.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    return Course(
      latencies: subscriber.messages("walker", "event").dropFirst(events).compactMap { message in
        guard ["started", "stopped"].contains(message.json["event_type"].text) else { return nil }
        return happened.date(from: message.json["ts"].text).map { message.time - $0.timeIntervalSince1970 }
      },
      replayed: history().dropFirst(before).flatMap { message in
        message.json["records"].array.map { _ in message.time }
      })
  }

  private func tell(_ what: String, _ course: Course) {
    func seconds(_ value: Double) -> String { String(format: "%.3f", value) }
    print(
      "replay of \(Self.records) records, \(what): \(course.latencies.count) events after "
        + "\(seconds(course.median)) s (median), \(seconds(course.worst)) s (worst); "
        + "\(String(format: "%.0f", course.rate)) records/s meanwhile")
  }

  @Test func `events overtake a replay at its usual pace, which begins within its delay`() async throws {
    let place = try Workplace()
    try await fill(place)
    let subscriber = try await place.subscriber()
    let agent = try RunningAgent(
      journal: place.journal(), port: place.port, "tracking.start=never", more: ["mqtt.replay_delay_s=5"])
    let start = try await wait("the agent", seconds: 60) { subscriber.messages("walker", "availability").last?.time }
    let course = try await watch(subscriber, place, rounds: 16)
    let delay = try #require(subscriber.messages("walker", "history").first).time - start
    tell("50 a second asked, begun after \(String(format: "%.1f", delay)) s of at most 5", course)
    #expect(course.worst < Self.latest)
    #expect(delay < 5 + Self.latest)
    // A bucket of fifty may have been full.
    let span = (course.replayed.last ?? 0) - (course.replayed.first ?? 0)
    #expect(Double(course.replayed.count) <= 50 * (span + 1) + 100, "\(course.replayed.count) records in \(span) s")
    #expect(!course.replayed.isEmpty)
    #expect(try await agent.stop() == 0)
  }

  @Test(.enabled(if: FaultyLine.program != nil, "the lab's fault proxy is not here (set LABS)"))
  func `on a slow line, and after the broker froze, the replay makes way for events`() async throws {
    let place = try Workplace()
    try await fill(place)
    let subscriber = try await place.subscriber()
    let line = try await FaultyLine(to: place.port)
    // Eight times what the line carries.
    try await line.set("rate 10000")
    let agent = try RunningAgent(
      journal: place.journal(), port: line.port, "tracking.start=never", "mqtt.replay_rate=200")
    let slow = try await watch(subscriber, place, rounds: 8)
    tell("over a line of 10 kB/s", slow)
    #expect(slow.worst < 2 * Self.latest)

    try await line.set("ok")
    place.broker.freeze()
    let frozen = subscriber.messages("walker", "history").count
    try await Task.sleep(for: .seconds(3))
    place.broker.thaw()
    let thawed = try await watch(subscriber, place, rounds: 8)
    tell("after the broker froze for 3 s", thawed)
    #expect(thawed.worst < Self.latest)
    #expect(slow.rate < 50 && thawed.rate > slow.rate, "as much as the line carries: \(slow.rate), \(thawed.rate)")
    try await wait("the replay to go on") { subscriber.messages("walker", "history").count > frozen ? true : nil }
    #expect(try await agent.stop() == 0)
    let twice = Dictionary(grouping: subscriber.allRecords(of: "walker")) { $0["seq"].int }.values.count {
      $0.count > 1
    }
    #expect(twice == 0, "nothing was sent twice, since no connection was lost")
  }
}
