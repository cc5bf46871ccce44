import BrokerTesting
import Foundation
import Testing

@Suite struct JournalFaultTests {
  /// A reason why the journal cannot be opened, and its end.
  enum Reason: CaseIterable, Sendable {
    /// The directory is a file.
    case noDirectory
    /// The directory's own directory is missing.
    case noParent
    /// Nobody may write there; a user with all rights is stopped by nothing less than a read-only file system.
    case notWritable

    func begin(_ journal: URL) throws {
      let files = FileManager.default
      switch self {
      case .noDirectory: try Data("not a directory".utf8).write(to: journal.deletingLastPathComponent())
      case .noParent: break
      case .notWritable:
        try files.createDirectory(at: journal, withIntermediateDirectories: true)
        try files.createDirectory(at: journal.appending(path: "steps2mqtt.sqlite"), withIntermediateDirectories: true)
      }
    }

    func end(_ journal: URL) throws {
      let files = FileManager.default
      switch self {
      case .noDirectory:
        try files.removeItem(at: journal.deletingLastPathComponent())
        try files.createDirectory(at: journal.deletingLastPathComponent(), withIntermediateDirectories: true)
      case .noParent:
        try files.createDirectory(at: journal.deletingLastPathComponent(), withIntermediateDirectories: true)
      case .notWritable: try files.removeItem(at: journal.appending(path: "steps2mqtt.sqlite"))
      }
    }
  }

  @Test(arguments: Reason.allCases)
  func `an agent without its journal starts, counts, says so, and loses nothing when it is there`(
    reason: Reason
  ) async throws {
    let place = try Workplace()
    let subscriber = try await place.subscriber()
    let journal = place.journal("parent/journal")
    try reason.begin(journal)
    let agent = try RunningAgent(
      journal: journal, port: place.port, recording: place.recording, "tracking.start=always", "mqtt.replay_rate=0",
      exitAtEnd: true)
    try await wait("health") {
      subscriber.messages("walker", "health").last.flatMap { $0.json["journal"].text != "ok" ? true : nil }
    }
    #expect(subscriber.messages("walker", "availability").last?.payload == "online")
    #expect(subscriber.records(of: "walker").isEmpty, "nothing goes out that is not on disk")
    #expect(subscriber.state(of: "walker") == nil)

    try reason.end(journal)
    agent.hangUp()
    #expect(try await agent.waitForEnd() == 0, "\(agent.logText)")
    let counted = try await Product.count(place.recording)
    try await wait("all steps", seconds: 10) { subscriber.steps(of: "walker") >= counted ? true : nil }
    #expect(subscriber.steps(of: "walker") == counted)
    #expect(subscriber.state(of: "walker")?["total_steps"].int == counted)
  }

  @Test func `a second agent on the same journal says that it is in use, and ends`() async throws {
    let place = try Workplace()
    let subscriber = try await place.subscriber()
    let first = try RunningAgent(journal: place.journal(), port: place.port)
    try await wait("the agent") { subscriber.state(of: "walker") }
    let second = try RunningAgent(id: "other", journal: place.journal(), port: place.port)
    #expect(try await second.waitForEnd() == 1)
    #expect(second.logText.contains("another steps2mqtt uses it"), "\(second.logText)")
    #expect(try await first.stop() == 0)
  }

  @Test func `a journal that is removed under the agent is put back, and nothing is lost`() async throws {
    let place = try Workplace(seed: 2)
    let subscriber = try await place.subscriber()
    let agent = try RunningAgent(
      journal: place.journal(), port: place.port, recording: place.recording, speed: "10", "tracking.start=always",
      "mqtt.replay_rate=0", exitAtEnd: true)
    try await wait("the first steps") { subscriber.steps(of: "walker") > 10 ? true : nil }
    // What nobody has yet is in the file alone.
    place.broker.stop()
    let known = agent.logText.ranges(of: "was removed or replaced").count
    try FileManager.default.removeItem(at: place.journal())
    try await wait("the journal to be missed") {
      agent.logText.ranges(of: "was removed or replaced").count > known ? true : nil
    }
    try place.broker.start()
    let next = try await place.subscriber()
    #expect(try await agent.waitForEnd() == 0, "\(agent.logText)")
    let counted = try await Product.count(place.recording)
    let both = [subscriber, next]
    try await wait("all steps") { Subscriber.steps(of: "walker", at: both) >= counted ? true : nil }
    #expect(Subscriber.steps(of: "walker", at: both) == counted)
    #expect(Set(both.flatMap { $0.allRecords(of: "walker") }.map { $0["epoch"].text }).count == 1)
  }

  @Test func `a journal of garbage is set aside and named in an event`() async throws {
    let place = try Workplace()
    let subscriber = try await place.subscriber()
    try FileManager.default.createDirectory(at: place.journal(), withIntermediateDirectories: true)
    try Data(repeating: 0x5A, count: 9000).write(to: place.journal().appending(path: "steps2mqtt.sqlite"))
    let agent = try RunningAgent(
      journal: place.journal(), port: place.port, recording: place.recording, "tracking.start=always", exitAtEnd: true)
    #expect(try await agent.waitForEnd() == 0, "\(agent.logText)")
    try await wait("the event") {
      subscriber.records(of: "walker").contains { $0["event_type"].text == "journal_damaged" } ? true : nil
    }
  }
}
