import Agent
import AgentTesting
import Glibc
import Host
import Journal
import Wire

/// A month without a broker in virtual time: what the journal keeps of it day by day, and what arrives in the end.
struct OutageSection {
  private static let days = 30

  func run() async throws {
    // On one thread, as the agent runs: each thread that allocates gets a heap of its own from the C library, and the
    // runtime's pool would let this one's figure grow until all its threads have had their turn.
    try await withTaskExecutorPreference(Loop()) {
      // The consumer of the larger keeps much until the end, which would stand in the other's figures.
      try await outage("the least that can be set", maximumBytes: 1 << 20)
      try await outage("the usual bound", maximumBytes: 64 << 20)
    }
  }

  private func outage(_ name: String, maximumBytes: Int64) async throws {
    // In memory: what is forced to a disk costs much time here, and shows nothing.
    let place = try Place(in: "/dev/shm")
    var agent = try await JournaledMachine(
      .init(directory: place.path, maximumBytes: maximumBytes, freeDiskFloor: 0), replayRate: nil)
    try await agent.take(.begin, at: 0) { _ in nil }
    var rows: [[String]] = []
    for day in 0..<Self.days {
      try await agent.live(day) { _ in nil }
      guard day == 0 || day % 5 == 4 else { continue }
      rows.append(try await row(day + 1, agent, place))
    }
    var consumer = Consumer()
    try await deliver(&agent, to: &consumer)
    let (arrived, gone) = (consumer.steps, consumer.stepsNamedGone)
    let left = await agent.journal.unacknowledgedCount
    await agent.journal.close()
    table(
      "\(Self.days) days without a broker, \(figure(Double(maximumBytes) / 1_048_576)) MiB: \(name)",
      [
        "day", "steps counted", "MB of files", "records unsent", "of them merged hours", "steps kept", "named dropped",
        "kept + dropped", "MB resident", "descriptors",
      ], rows,
      notes: [
        "then the broker is back: \(figure(arrived)) steps arrived and \(figure(gone)) were named dropped, "
          + "\(figure(arrived + gone)) of \(figure(agent.steps)); \(left) records left, "
          + "\(consumer.faults.count) with two contents"
      ])
    guard arrived + gone == agent.steps, left == 0, consumer.faults.isEmpty else {
      throw Unmeasured("\(arrived + gone) of \(agent.steps) steps arrived or were named, \(left) records left")
    }
  }

  private func row(_ day: Int, _ agent: JournaledMachine, _ place: Place) async throws -> [String] {
    var (kept, dropped, merged, after) = (0, 0, 0, Int64(0))
    while true {
      let page = try await agent.journal.unacknowledged(after: after, upTo: .max, limit: 2000)
      guard let last = page.last else { break }
      after = last.seq
      for record in page {
        if record.kind == .steps { kept += record.steps } else { dropped += record.steps }
        if record.replaces != nil { merged += 1 }
      }
    }
    let usage = try ProcessFigures(of: getpid())
    return [
      figure(day), figure(agent.steps), figure(Double(place.bytes) / 1e6, 2),
      figure(await agent.journal.unacknowledgedCount), figure(merged), figure(kept), figure(dropped),
      figure(kept + dropped), figure(Double(usage.residentBytes) / 1e6, 1), figure(usage.descriptors),
    ]
  }

  /// Lets the broker come back, and acknowledge everything at once, for an hour at most.
  private func deliver(_ agent: inout JournaledMachine, to consumer: inout Consumer) async throws {
    let topics = Topics(device: "bench")
    let start = Int64(Self.days) * JournaledMachine.day
    var taken = consumer
    let publish = { (publication: Publication) -> PublishOutcome? in
      taken.take(publication, JSONValue(json: publication.payload), topics: topics)
      return publication.qos > 0 ? .acknowledged : nil
    }
    try await agent.take(.broker(.connected(Connection())), at: start, publish: publish)
    try await agent.tick(until: start + 3_600_000, from: start, publish: publish)
    consumer = taken
  }
}
