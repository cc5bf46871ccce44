import Agent
import AgentTesting
import Foundation
import Host
import Journal
import Testing
import Wire

@testable import steps2mqtt

/// What any journal port promises, asked of the one on disk and of the simulation's in memory alike.
@Suite struct JournalPortTests {
  enum Kind: CaseIterable, Sendable {
    case memory, disk
  }

  /// A port with a way to open it again.
  private final class Place {
    let kind: Kind
    let directory = FileManager.default.temporaryDirectory.appending(path: "journal-port-\(UUID().uuidString)")
    private(set) var port: any JournalPort
    private(set) var restored = Restored()

    init(_ kind: Kind) async throws {
      self.kind = kind
      switch kind {
      case .memory: port = MemoryJournalPort()
      case .disk: port = MemoryJournalPort()
      }
      try await open()
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    /// Closes it, if it was open, and opens it.
    func open() async throws {
      switch kind {
      case .memory: if let memory = port as? MemoryJournalPort { restored = await memory.journal.restored }
      case .disk:
        if let disk = port as? JournalOutbox { await disk.close() }
        let configuration = Journal.Configuration(directory: directory.path, freeDiskFloor: 0)
        let disk = JournalOutbox(configuration, boot: "boot-1", log: Log(level: .error))
        restored = try await disk.begin()
        port = disk
      }
    }
  }

  private func record(
    _ seq: Int64, steps: Int = 10, from start: Int64 = 1_796_026_500_000, length: Int64 = 10_000,
    synchronized: Bool = true
  ) -> Record {
    Record(
      seq: seq, kind: steps > 0 ? .steps : .event, boot: "boot-1", monotonicStart: 600_000,
      monotonicEnd: 600_000 + length, wallStart: start, wallEnd: start + length, synchronized: synchronized,
      steps: steps, distance: Double(steps) * 0.7, activeSeconds: Double(length) / 1000, body: Array(#""a":1"#.utf8))
  }

  private func commit(
    _ records: [Record] = [], memory: String = "m", answers: [Answer] = [],
    acknowledged: [ClosedRange<Int64>] = [], clockOffset: Int64? = nil
  ) -> Commit {
    Commit(
      number: 1, records: records, memory: Array(memory.utf8), answers: answers, acknowledged: acknowledged,
      clockOffset: clockOffset)
  }

  @Test(arguments: Kind.allCases)
  func `a new one knows nothing, and keeps what it took over an opening`(kind: Kind) async throws {
    let place = try await Place(kind)
    #expect(place.restored.memory == nil && place.restored.unacknowledged == 0 && place.restored.lastSeq == 0)
    #expect(place.restored.epoch != nil && !place.restored.isTailLost && !place.restored.isAwaited)
    #expect(try await place.port.unacknowledged(after: 0, upTo: 100, limit: 10) == [])
    #expect(try await place.port.answer(toCommand: "a") == nil)
    #expect(try await place.port.trim(at: nil, sparing: []) == nil)
    let epoch = place.restored.epoch
    try await place.port.commit(commit([record(1), record(2), record(3)], memory: "first"))
    try await place.port.commit(commit(memory: "second", acknowledged: [2...2]))
    try await place.open()
    #expect(place.restored.memory == Array("second".utf8))
    #expect(place.restored.unacknowledged == 2)
    #expect(place.restored.storedSeq == 3 && place.restored.lastSeq == 3)
    #expect(place.restored.epoch == epoch)
  }

  @Test(arguments: Kind.allCases)
  func `a page is what is unacknowledged between two numbers, in order, as it was written`(kind: Kind) async throws {
    let place = try await Place(kind)
    let records = (1...9 as ClosedRange<Int64>).map { record($0, steps: $0 % 3 == 0 ? 0 : Int($0)) }
    try await place.port.commit(commit(records))
    try await place.port.commit(commit(acknowledged: [2...3, 7...7]))
    let port = place.port
    #expect(
      try await port.unacknowledged(after: 0, upTo: 9, limit: 100) == records.filter { ![2, 3, 7].contains($0.seq) })
    #expect(try await port.unacknowledged(after: 4, upTo: 8, limit: 100).map(\.seq) == [5, 6, 8])
    #expect(try await port.unacknowledged(after: 0, upTo: 9, limit: 2).map(\.seq) == [1, 4])
    #expect(try await port.unacknowledged(after: 9, upTo: 9, limit: 2) == [])
  }

  @Test(arguments: Kind.allCases)
  func `acknowledging again, or what is not there yet, changes nothing`(kind: Kind) async throws {
    let place = try await Place(kind)
    try await place.port.commit(commit([record(1), record(2)]))
    try await place.port.commit(commit(acknowledged: [1...1, 2...40]))
    try await place.port.commit(commit([record(3)], acknowledged: [1...2]))
    #expect(try await place.port.unacknowledged(after: 0, upTo: 9, limit: 10).map(\.seq) == [3])
    try await place.open()
    #expect(place.restored.unacknowledged == 1)
  }

  @Test(arguments: Kind.allCases)
  func `the first answer to an id stays, and the last 256 do`(kind: Kind) async throws {
    let place = try await Place(kind)
    func answer(_ id: Int, _ body: String) -> Answer { Answer(id: "\(id)", body: Array(body.utf8)) }
    try await place.port.commit(commit(answers: [answer(0, "first")]))
    try await place.port.commit(commit(answers: [answer(0, "second")]))
    #expect(try await place.port.answer(toCommand: "0") == Array("first".utf8))
    for id in 1...256 { try await place.port.commit(commit(answers: [answer(id, "x")])) }
    #expect(try await place.port.answer(toCommand: "0") == nil)
    #expect(try await place.port.answer(toCommand: "1") != nil)
    try await place.open()
    #expect(try await place.port.answer(toCommand: "256") == Array("x".utf8))
  }

  @Test(arguments: Kind.allCases)
  func `sums count by the share that lies in the interval, empty buckets included`(kind: Kind) async throws {
    let place = try await Place(kind)
    let start: Int64 = 1_796_026_500_000
    try await place.port.commit(
      commit([
        record(1, from: start), record(2, from: start + 20_000), record(3, steps: 0, from: start),
      ]))
    let whole = try await place.port.sums(from: start, to: start + 40_000, bucket: nil)
    #expect(whole.map(\.steps) == [20])
    #expect(abs((whole.first?.distance ?? 0) - 14) < 1e-6)
    let buckets = try await place.port.sums(from: start, to: start + 45_000, bucket: 10_000)
    #expect(buckets.map(\.steps) == [10, 0, 10, 0, 0])
    #expect(buckets.map(\.start) == (0..<5).map { start + $0 * 10_000 })
    #expect(buckets.last?.end == start + 45_000, "the last one is as long as the interval allows")
    let half = try await place.port.sums(from: start + 5000, to: start + 25_000, bucket: nil)
    #expect(half.map(\.steps) == [10])
    #expect(try await place.port.sums(from: start, to: start, bucket: nil).reduce(0) { $0 + $1.steps } == 0)
  }

  @Test(arguments: Kind.allCases)
  func `what had no date is dated once the clock of its boot is known`(kind: Kind) async throws {
    let place = try await Place(kind)
    try await place.port.commit(commit([record(1, from: 600_000, synchronized: false)]))
    #expect(try await place.port.unacknowledged(after: 0, upTo: 9, limit: 1).first?.synchronized == false)
    let offset: Int64 = 1_796_026_500_000 - 600_000
    try await place.port.commit(commit(clockOffset: offset))
    let dated = try await place.port.unacknowledged(after: 0, upTo: 9, limit: 1).first
    #expect(dated?.synchronized == true)
    #expect(dated?.wallStart == 1_796_026_500_000)
    let sums = try await place.port.sums(from: 1_796_026_500_000, to: 1_796_026_510_000, bucket: nil)
    #expect(sums.map(\.steps) == [10])
  }
}
