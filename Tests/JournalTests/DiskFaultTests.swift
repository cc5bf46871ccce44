import FaultyDisk
import Testing

@testable import Journal

/// Each call to the disk fails once, or from then on, below SQLite; what was committed must be there all the same.
@Suite(.serialized) struct DiskFaultTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var kind: faulty_kind
    var name: String
    var isForGood: Bool
    var testDescription: String { name + (isForGood ? ", for good" : ", once") }
  }

  private static let cases = [
    (FAULTY_WRITE, "a write fails"), (FAULTY_SHORT_WRITE, "a write gets half way"), (FAULTY_FULL, "the disk is full"),
    (FAULTY_SYNC, "a forced write fails"), (FAULTY_READ, "a read fails"),
  ].flatMap { kind, name in [false, true].map { Case(kind: kind, name: name, isForGood: $0) } }

  /// Files opened before are of the usual file system, and stay so.
  private static let isInstalled = faulty_install() == 0

  /// What must be on the disk, as the agent knows it.
  private struct Books {
    var committed: [Journal.Record] = []
    /// Those of commits that failed: they may be there.
    var doubtful: [Journal.Record] = []
    var acknowledged: Set<Int64> = []
    var next: Int64 = 1
    var failures: [JournalError] = []
  }

  @Test(arguments: cases)
  func `whichever call to the disk fails, it starts again, says so, and what was committed is there`(
    wrong: Case
  ) async throws {
    try #require(Self.isInstalled)
    var call = 0
    var failed = 1
    var told = 0
    while failed > 0 {
      call += 1
      let scratch = try Scratch()
      unsafe faulty_arm(scratch.path, wrong.kind, call, wrong.isForGood ? 1 : 0)
      var books = Books()
      try await live(&books, scratch)
      failed = faulty_disarm()
      // What is told is of the disk, and no damage.
      #expect(books.failures.allSatisfy { [.io, .full].contains($0.code) }, "\(call): \(books.failures)")
      try await check(books, scratch, "call \(call)")
      told += books.failures.count
    }
    // Otherwise nothing was tried.
    #expect(call > 3 && told > 0, "\(call) calls, \(told) failures")
  }

  @Test func `a commit is forced to the disk once, whatever is in it`() async throws {
    try #require(Self.isInstalled)
    let scratch = try Scratch()
    unsafe faulty_arm(scratch.path, FAULTY_WRITE, 0, 0)
    let (journal, _) = try await Journal.open(scratch.configuration(), epoch: "e")
    // The first after an opening begins the log anew, which is forced, too.
    try await journal.commit(.init(state: [0]))
    let before = faulty_syncs()
    for seq in Int64(1)...5 {
      try await journal.commit(
        .init(
          records: (0..<5).map { walk(seq * 5 + $0, at: seq * 1000) }, state: [1],
          answers: [.init(id: "c\(seq)", content: [2])], acknowledged: [seq * 5...seq * 5]))
    }
    #expect(faulty_syncs() == before + 5)
    await journal.close()
  }

  /// Commits, acknowledges, tidies up and closes, twice, and opens anew after each failure as the agent does.
  private func live(_ books: inout Books, _ scratch: Scratch) async throws {
    for _ in 0..<2 {
      var journal: Journal?
      for round in 0..<8 {
        do throws(JournalError) {
          if journal == nil { journal = try await open(&books, scratch) }
          guard let journal else { continue }
          if round == 5, let first = books.committed.first(where: { !books.acknowledged.contains($0.seq) }) {
            books.acknowledged.insert(first.seq)
            try await journal.commit(.init(acknowledged: [first.seq...first.seq]))
            _ = try await journal.tidy(at: nil)
          }
          try await commit(to: journal, &books, round: round)
        } catch {
          books.failures.append(error)
          await journal?.close()
          journal = nil
        }
      }
      await journal?.close()
    }
  }

  private func open(_ books: inout Books, _ scratch: Scratch) async throws(JournalError) -> Journal {
    let (journal, recovery) = try await Journal.open(scratch.configuration(), epoch: "e")
    if case .replaced(_, let reason) = recovery.origin { Issue.record("set aside: \(reason)") }
    books.next = max(books.next, recovery.nextSequence)
    return journal
  }

  private func commit(to journal: Journal, _ books: inout Books, round: Int) async throws(JournalError) {
    let first = walk(books.next, at: books.next * 1000)
    let records = round % 3 == 1 ? [first] : [first, event(books.next + 1, at: books.next * 1000)]
    books.next += Int64(records.count)
    do throws(JournalError) {
      try await journal.commit(.init(records: records, state: Array("\(first.seq)".utf8)))
      books.committed += records
    } catch {
      books.doubtful += records
      throw error
    }
  }

  private func check(_ books: Books, _ scratch: Scratch, _ place: String) async throws {
    let (journal, recovery) = try await Journal.open(scratch.configuration(), epoch: "e")
    let there = try await journal.outbox()
    let seqs = Set(there.map(\.seq))
    for record in books.committed where !books.acknowledged.contains(record.seq) {
      let isThere = there.contains(record)
      #expect(isThere, "\(place): record \(record.seq) is lost")
    }
    let known = Set((books.committed + books.doubtful).map(\.seq))
    #expect(seqs.isSubset(of: known), "\(place): nobody committed \(seqs.subtracting(known))")
    #expect(recovery.epoch == "e" && recovery.nextSequence > (seqs.max() ?? 0))
    #expect(scratch.names().allSatisfy { !$0.contains("damaged") }, "\(place): \(scratch.names())")
    try await journal.commit(.init(records: [walk(recovery.nextSequence, at: 0)], state: [9]))
    await journal.close()
  }
}
