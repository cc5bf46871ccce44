import Agent
import Host
import Journal
import Wire

/// Fits the journal to the agent, and does without one while it cannot be opened.
///
/// The agent commits again a minute after a failure. That is when a journal that is missing is opened, so that the disk
/// is tried as often as the design page says; what it knows is told in place of the commit.
actor JournalOutbox: JournalPort {
  private let configuration: Journal.Configuration
  private let boot: String
  private let log: Log
  private var journal: Journal?
  /// Why there is no journal.
  private var reason = ""
  /// The trim that was planned last; the agent knows of it only what it has to tell.
  private var planned: Journal.Trim?

  /// Makes the outbox of a journal that is yet to be opened, in the boot of an id.
  init(_ configuration: Journal.Configuration, boot: String, log: Log) {
    self.configuration = configuration
    self.boot = boot
    self.log = log
  }

  /// Opens the journal and gives what it knows; where it cannot be opened, nobody knows that yet.
  ///
  /// Throws only when another process has the journal: two agents must not count for one device.
  func begin() async throws(JournalError) -> Restored {
    do throws(JournalError) {
      return try await open()
    } catch {
      guard error.code != .inUse else { throw error }
      log(.error, "\(error.message); until then records wait in memory, and the disk is tried again each minute")
      return .awaited
    }
  }

  /// Closes the journal.
  func close() async {
    await journal?.close()
    journal = nil
  }

  private func open() async throws(JournalError) -> Restored {
    do throws(JournalError) {
      let epoch = String(UInt64.random(in: .min ... .max), radix: 36)
      let (opened, recovery) = try await Journal.open(configuration, epoch: epoch)
      journal = opened
      log(recovery.isLoss ? .warning : .info, "journal: \(recovery.summary) in \(configuration.directory)")
      return Restored(recovery, unacknowledged: await opened.unacknowledgedCount)
    } catch {
      reason = error.message
      throw error
    }
  }

  func commit(_ commit: Commit) async throws(PortError) {
    guard let journal else { throw await opening() }
    let trim = commit.trim == nil ? nil : planned
    let transaction = Journal.Transaction(
      records: commit.records.map(Journal.Record.init), state: commit.memory,
      answers: commit.answers.map { Journal.Answer(id: $0.id, content: $0.body) },
      clock: commit.clockOffset.map { Journal.BootClock(boot: boot, wallOffset: $0) },
      acknowledged: commit.acknowledged, trim: trim)
    do throws(JournalError) {
      try await journal.commit(transaction)
    } catch {
      if error.needsReopening {
        reason = error.message
        self.journal = nil
        if error.code == .moved {
          log(.error, error.message)
          // Where that fails, what was on disk is lost, and what waits in memory goes to the next.
          do throws(JournalError) { try await journal.putBack() } catch { log(.error, error.message) }
        }
        // What it could not write is in the agent's memory.
        await journal.close()
        if error.code == .moved { throw await opening() }
      }
      // A plan that is refused for any reason must not hold up what comes with it.
      let blamesTrim = error.code == .staleTrim || (error.code == .refused && trim != nil)
      throw PortError(error.message, blamesTrim: blamesTrim)
    }
  }

  /// Tries to open the journal in place of a commit: what that came to.
  private func opening() async -> PortError {
    do throws(JournalError) {
      return PortError("the journal was opened only now", opened: try await open())
    } catch {
      return PortError(error.message)
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
    planned = trim
    return trim.map { trim in
      Trim(ranges: trim.ranges, records: trim.records, steps: trim.steps, merged: trim.merged.map(Record.init))
    }
  }

  private func asking<Answer>(
    _ question: (Journal) async throws(JournalError) -> Answer
  ) async throws(PortError) -> Answer {
    guard let journal else { throw PortError(reason) }
    do throws(JournalError) { return try await question(journal) } catch { throw PortError(error.message) }
  }
}

extension JournalError {
  /// Whether the file has to be opened again, since this handle of it may never work again.
  fileprivate var needsReopening: Bool {
    switch code {
    case .damaged, .io, .inaccessible, .readOnly, .moved: true
    case .full, .inUse, .closed, .staleTrim, .refused: false
    }
  }
}

extension Restored {
  fileprivate init(_ recovery: Journal.Recovery, unacknowledged: Int) {
    self.init(
      memory: recovery.state, lastSeq: recovery.nextSequence - 1, storedSeq: recovery.lastSequence,
      unacknowledged: unacknowledged, epoch: recovery.epoch, isTailLost: recovery.origin == .tailLost)
    tail = recovery.tail.map(Record.init)
    switch recovery.origin {
    case .fresh, .closed: break
    case .interrupted, .tailLost: wasInterrupted = true
    case .replaced(let path, _): damagedFile = path
    }
  }
}

extension Journal.Recovery {
  /// Whether something that was in the journal is gone.
  fileprivate var isLoss: Bool {
    switch origin {
    case .fresh, .closed, .interrupted: false
    case .tailLost, .replaced: true
    }
  }

  /// What opening found, for the log.
  fileprivate var summary: String {
    switch origin {
    case .fresh: "new"
    case .closed: "opened at record \(lastSequence)"
    case .interrupted: "opened at record \(lastSequence) after an interruption"
    case .tailLost: "opened at record \(lastSequence); the latest commits are lost with its write-ahead log"
    case .replaced(let path, let reason): "new, since the old one was damaged (\(reason)); it was set aside as \(path)"
    }
  }
}

extension Journal.Record {
  init(_ record: Record) {
    self.init(
      seq: record.seq, kind: record.kind == .steps ? .steps : .event, boot: record.boot,
      monotonicStart: record.monotonicStart, monotonicEnd: record.monotonicEnd, wallStart: record.wallStart,
      wallEnd: record.wallEnd, isSynchronized: record.synchronized, steps: record.steps, distance: record.distance,
      activeDuration: record.activeSeconds, floorsAscended: record.floorsAscended,
      floorsDescended: record.floorsDescended, replaces: record.replaces, payload: record.body)
  }
}

extension Record {
  init(_ record: Journal.Record) {
    self.init(
      seq: record.seq, kind: record.kind == .steps ? .steps : .event, boot: record.boot,
      monotonicStart: record.monotonicStart, monotonicEnd: record.monotonicEnd, wallStart: record.wallStart,
      wallEnd: record.wallEnd, synchronized: record.isSynchronized, steps: record.steps, distance: record.distance,
      activeSeconds: record.activeDuration, floorsAscended: record.floorsAscended,
      floorsDescended: record.floorsDescended, replaces: record.replaces, body: record.payload)
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
