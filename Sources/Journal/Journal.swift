/// The durable log: records, what of them was acknowledged, and the state that goes with them, in one SQLite file.
///
/// A commit is on disk when it returns (write-ahead log, synchronous FULL), whole or not at all. Records are appended
/// and never changed; the outbox is what is not acknowledged, history is the sum over an interval. The journal holds
/// the file alone: a second process gets `inUse`. Calls run on a thread of their own, one after the other.
public actor Journal {
  /// How many answers to commands are kept.
  public static let answersKept = 256

  let configuration: Configuration
  let directory: Directory
  var database: Database
  var contents: Contents
  /// Which files are its own, as long as it is open.
  let identity: (database: Directory.Identity?, log: Directory.Identity?)
  private let executor: QueueExecutor

  /// The journal's own thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// Opens the journal of a configuration, or makes one, and tells what it found.
  ///
  /// A file that cannot be used is set aside and replaced, so that only a directory that cannot be used is an error.
  /// - Parameters:
  ///   - configuration: where it lies and how much it may keep.
  ///   - epoch: the epoch of a new file; a name never used before.
  /// - Returns: the journal, and what opening found.
  /// - Throws: `inaccessible`, `readOnly`, `full`, `inUse` or `io`.
  public static func open(
    _ configuration: Configuration, epoch: String
  ) async throws(JournalError) -> (journal: Journal, recovery: Recovery) {
    let executor = QueueExecutor(label: "journal")
    let opening = Opening(
      executor: executor, configuration: configuration, directory: Directory(path: configuration.directory))
    return try await OpeningThread(executor: executor).run(opening, epoch: epoch)
  }

  init(
    executor: QueueExecutor, configuration: Configuration, directory: Directory, database: consuming sending Database,
    contents: Contents
  ) {
    self.executor = executor
    self.configuration = configuration
    self.directory = directory
    self.database = database
    self.contents = contents
    identity = (directory.identity(of: directory.database), directory.identity(of: directory.log))
  }

  /// Puts a transaction on disk; throws without any change.
  public func commit(_ transaction: Transaction) throws(JournalError) {
    try validate(transaction)
    try inTransaction { (contents, database) throws(JournalError) in
      try contents.acknowledge(transaction.acknowledged, &database)
      if let trim = transaction.trim {
        try trim.validate(with: transaction.records, contents, &database)
        try trim.carryOut(&contents, &database)
      }
      if let clock = transaction.clock {
        let boot = try contents.boot(named: clock.boot, &database)
        try database.run(
          "UPDATE boots SET wall_offset_ms = ? WHERE id = ?", .integer(clock.wallOffset), .integer(boot))
        contents.boots[boot]?.wallOffset = clock.wallOffset
        contents.agesChecked = nil
      }
      for record in transaction.records {
        let boot = try contents.boot(named: record.boot, &database)
        try record.insert(boot: boot, &database)
        contents.lastSequence = record.seq
        contents.unacknowledgedCount += 1
      }
      // And now those of the new records that were told before.
      if let first = transaction.records.first {
        try contents.acknowledge(transaction.acknowledged.filter { $0.upperBound >= first.seq }, &database)
      }
      if let state = transaction.state {
        try database.run(
          "INSERT INTO state VALUES (1, ?1, ?2) ON CONFLICT DO UPDATE SET content = ?1, seq = ?2", .blob(state),
          .integer(contents.lastSequence))
      }
      for answer in transaction.answers {
        try database.run(
          "INSERT INTO answers(id, content) VALUES (?, ?) ON CONFLICT DO NOTHING", .text(answer.id),
          .blob(answer.content))
      }
      if !transaction.answers.isEmpty {
        try database.run(
          "DELETE FROM answers WHERE number <= (SELECT max(number) FROM answers) - \(Self.answersKept)")
      }
    }
  }

  /// Closes the file; every later commit or question throws `closed`.
  public func close() { database.close() }

  /// The first answer that the command of an id got, if it is among the last 256.
  public func answer(toCommand id: String) throws(JournalError) -> [UInt8]? {
    try database.query("SELECT content FROM answers WHERE id = ?", [.text(id)]) { $0.bytes(0) }.first
  }

  /// Runs changes and what they make of the acknowledged ranges in one transaction; after a failure all is as before.
  func inTransaction(_ change: (inout Contents, inout Database) throws(JournalError) -> Void) throws(JournalError) {
    try validatePlace()
    var next = contents
    try database.run("BEGIN IMMEDIATE")
    do throws(JournalError) {
      try change(&next, &database)
      try next.writeAcknowledged(differingFrom: contents.acknowledged, &database)
      try database.run("COMMIT")
    } catch {
      database.rollback()
      throw error
    }
    contents = next
  }

  private func validate(_ transaction: Transaction) throws(JournalError) {
    var last = contents.lastSequence
    for record in transaction.records {
      guard record.seq > last, record.seq < Row.bound else {
        throw JournalError(
          .refused, "record \(record.seq) after record \(last): numbers must ascend; this is a defect of the agent")
      }
      last = record.seq
    }
  }
}
