import Agent
import Journal
import Synchronization
import Wire

/// Fits the journal to the agent.
final class JournalOutbox: JournalPort {
  private let journal: Journal
  private let boot: String
  /// The trim that was planned last; the agent knows of it only what it has to tell.
  private let planned = Mutex<Journal.Trim?>(nil)

  /// Makes the agent's outbox of a journal, in the boot of an id.
  init(_ journal: Journal, boot: String) {
    self.journal = journal
    self.boot = boot
  }

  func commit(_ commit: Commit) async throws(PortError) {
    let trim = planned.withLock { commit.trim == nil ? nil : $0 }
    let transaction = Journal.Transaction(
      records: commit.records.map(Journal.Record.init), state: commit.memory,
      answers: commit.answers.map { Journal.Answer(id: $0.id, content: $0.body) },
      clock: commit.clockOffset.map { Journal.BootClock(boot: boot, wallOffset: $0) }, trim: trim)
    try await asking { journal throws(JournalError) in
      try await journal.acknowledge(commit.acknowledged)
      try await journal.commit(transaction)
    }
  }

  func unacknowledged(after: Int64, upTo: Int64, limit: Int) async throws(PortError) -> [Record] {
    try await asking { journal throws(JournalError) in
      try await journal.unacknowledged(after: after, upTo: upTo, limit: limit)
    }.map(Record.init)
  }

  func sums(from: Int64, to: Int64, bucket: Int64?) async throws(PortError) -> [Sums] {
    try await asking { journal throws(JournalError) in
      try await journal.history(from: from, to: to, bucket: bucket)
    }.map(Sums.init)
  }

  func answer(toCommand id: String) async throws(PortError) -> [UInt8]? {
    try await asking { journal throws(JournalError) in try await journal.answer(toCommand: id) }
  }

  func trim(at now: Int64?, sparing: [ClosedRange<Int64>]) async throws(PortError) -> Trim? {
    let trim = try await asking { journal throws(JournalError) in
      try await journal.tidy(at: now, sparing: sparing)
    }
    planned.withLock { $0 = trim }
    return trim.map { trim in
      Trim(ranges: trim.ranges, records: trim.records, steps: trim.steps, merged: trim.merged.map(Record.init))
    }
  }

  private func asking<Answer>(
    _ question: (Journal) async throws(JournalError) -> Answer
  ) async throws(PortError) -> Answer {
    do throws(JournalError) { return try await question(journal) } catch { throw PortError(error.message) }
  }
}

extension Journal.Record {
  init(_ record: Record) {
    self.init(
      seq: record.seq, kind: record.kind == .steps ? .steps : .event, boot: record.boot,
      monotonicStart: record.monotonicStart, monotonicEnd: record.monotonicEnd, wallStart: record.wallStart,
      wallEnd: record.wallEnd, isSynchronized: record.synchronized, steps: record.steps, distance: record.distance,
      activeDuration: record.activeSeconds, floorsAscended: record.floorsAscended,
      floorsDescended: record.floorsDescended, payload: record.body)
  }
}

extension Record {
  init(_ record: Journal.Record) {
    self.init(
      seq: record.seq, kind: record.kind == .steps ? .steps : .event, boot: record.boot,
      monotonicStart: record.monotonicStart, monotonicEnd: record.monotonicEnd, wallStart: record.wallStart,
      wallEnd: record.wallEnd, synchronized: record.isSynchronized, steps: record.steps, distance: record.distance,
      activeSeconds: record.activeDuration, floorsAscended: record.floorsAscended,
      floorsDescended: record.floorsDescended, body: record.payload)
  }
}

extension Sums {
  init(_ sum: Journal.Sum) {
    self.init(
      start: sum.start, end: sum.end, steps: sum.steps, distance: sum.distance, activeSeconds: sum.activeDuration)
    floorsAscended = sum.floorsAscended
    floorsDescended = sum.floorsDescended
  }
}
