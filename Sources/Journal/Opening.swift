/// Opens the file of a journal, and sets it aside when it cannot be used.
struct Opening: Sendable {
  let executor: QueueExecutor
  let configuration: Journal.Configuration
  let directory: Directory

  /// How many records may be committed without a state; far more than any caller lets be.
  private static let longestTail = 10_000

  func run(epoch: String) throws(JournalError) -> (journal: Journal, recovery: Journal.Recovery) {
    let reason: String
    do throws(JournalError) {
      return try attach(epoch: epoch)
    } catch {
      guard error.code == .damaged else { throw error }
      reason = error.message
    }
    let path = try directory.setDatabaseAside()
    var (journal, recovery) = try attach(epoch: epoch)
    recovery.origin = .replaced(path: path, reason: reason)
    return (journal, recovery)
  }

  private func attach(epoch: String) throws(JournalError) -> (journal: Journal, recovery: Journal.Recovery) {
    try directory.make()
    let isFresh = directory.size(of: directory.database) == 0
    let hasLog = directory.size(of: directory.log) > 0
    if isFresh, hasLog {
      throw JournalError(.damaged, "the file is empty or missing, yet has a write-ahead log")
    }
    var database = try Database(path: directory.database)
    try apply(to: &database)
    try Schema.prepare(&database, epoch: epoch)
    let check = try database.query("PRAGMA quick_check(1)") { $0.text(0) }
    guard check == ["ok"] else {
      let reason = check.first ?? "it cannot be checked"
      // A page that the disk did not give for once is no damage, and what could be sent must not be put away for it.
      let isUnread = reason.split(separator: "error code=").last.flatMap { Int($0) }.map { $0 & 0xff == 10 } ?? false
      throw JournalError(isUnread ? .io : .damaged, reason)
    }
    guard
      let (storedEpoch, wasOpen) = try database.query(
        "SELECT epoch, is_open FROM journal", [], { ($0.text(0), $0.integer(1) != 0) }
      ).first
    else { throw JournalError(.damaged, "it has no epoch") }
    let state = try database.query("SELECT content, seq FROM state") { ($0.bytes(0), $0.integer(1)) }.first
    let contents = try Contents(reading: &database)
    let tail = try database.query(
      "SELECT \(Journal.Record.columns) FROM records WHERE seq > ? ORDER BY seq LIMIT \(Self.longestTail)",
      [.integer(state?.1 ?? .max)], { Journal.Record($0, contents) })
    // The log of an interrupted journal has at least this change, written back so that the file itself tells it.
    try database.run("UPDATE journal SET is_open = 1")
    database.lastWords = "UPDATE journal SET is_open = 0"
    _ = try database.integer("PRAGMA wal_checkpoint(PASSIVE)")
    let recovery = Journal.Recovery(
      origin: isFresh ? .fresh : !wasOpen ? .closed : hasLog ? .interrupted : .tailLost,
      epoch: storedEpoch, state: state?.0, tail: tail, lastSequence: contents.lastSequence,
      nextSequence: contents.lastSequence + 1 + (wasOpen ? Journal.sequenceGap : 0))
    let journal = Journal(
      executor: executor, configuration: configuration, directory: directory, database: database,
      contents: contents)
    return (journal, recovery)
  }

  private func apply(to database: inout Database) throws(JournalError) {
    let pages = max(1, configuration.maximumBytes / Schema.pageSize)
    for setting in [
      "page_size = \(Schema.pageSize)", "locking_mode = EXCLUSIVE", "busy_timeout = 1000",
      "journal_mode = WAL", "synchronous = FULL", "wal_autocheckpoint = \(Schema.logBytes / Schema.pageSize)",
      "journal_size_limit = \(Schema.logBytes)", "cache_size = -512", "temp_store = MEMORY",
      "trusted_schema = OFF", "cell_size_check = ON", "max_page_count = \(pages)",
    ] {
      try database.execute("PRAGMA \(setting)")
    }
  }
}

/// Runs an opening where the journal will run.
actor OpeningThread {
  private let executor: QueueExecutor

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  init(executor: QueueExecutor) {
    self.executor = executor
  }

  func run(
    _ opening: Opening, epoch: String
  ) throws(JournalError) -> (journal: Journal, recovery: Journal.Recovery) {
    try opening.run(epoch: epoch)
  }
}
