import Testing

@testable import Journal

/// Files of other versions of the program.
@Suite struct MigrationTests {
  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
  }

  /// The tables of version 1, as it made them.
  private static let first = """
    PRAGMA page_size = 1024; PRAGMA journal_mode = WAL;
    CREATE TABLE journal(
      id INTEGER PRIMARY KEY CHECK (id = 1), epoch TEXT NOT NULL, is_open INTEGER NOT NULL) STRICT;
    CREATE TABLE state(id INTEGER PRIMARY KEY CHECK (id = 1), content BLOB NOT NULL) STRICT;
    CREATE TABLE boots(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, wall_offset_ms INTEGER) STRICT;
    CREATE TABLE records(
      seq INTEGER PRIMARY KEY, kind INTEGER NOT NULL, boot INTEGER NOT NULL,
      mono_start_ms INTEGER NOT NULL, mono_end_ms INTEGER NOT NULL,
      wall_start_ms INTEGER NOT NULL, wall_end_ms INTEGER NOT NULL, synchronized INTEGER NOT NULL,
      steps INTEGER NOT NULL, distance_m REAL NOT NULL, active_s REAL NOT NULL,
      floors_ascended INTEGER, floors_descended INTEGER, replaces_first INTEGER, replaces_last INTEGER,
      payload BLOB NOT NULL) STRICT;
    CREATE TABLE acknowledged(first INTEGER PRIMARY KEY, last INTEGER NOT NULL) STRICT;
    CREATE TABLE answers(number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, content BLOB NOT NULL) STRICT;
    PRAGMA application_id = 1395805514; PRAGMA user_version = 1;
    INSERT INTO journal VALUES (1, 'first', 0);
    INSERT INTO state VALUES (1, x'0708');
    INSERT INTO boots VALUES (1, 'boot-1', 1795024600000);
    INSERT INTO records VALUES
      (1, 0, 1, 1000000, 1001000, 1796025600000, 1796025601000, 1, 2, 1.5, 1.0, NULL, NULL, NULL, NULL, x'7b7d'),
      (2, 1, 1, 1002000, 1002000, 1796025602000, 1796025602000, 1, 0, 0.0, 0.0, NULL, NULL, NULL, NULL, x'7b7d'),
      (3, 0, 1, 1003000, 1004000, 1796025603000, 1796025604000, 1, 5, 3.5, 1.0, 1, 0, NULL, NULL, x'7b7d');
    INSERT INTO acknowledged VALUES (1, 1);
    INSERT INTO answers VALUES (1, 'c1', x'09');
    """

  @Test func `a journal of version 1 keeps all that it has, and goes on`() async throws {
    try Database(path: scratch.database).execute(Self.first)
    let (journal, recovery) = try await Journal.open(scratch.configuration(), epoch: "other")
    #expect(recovery.origin == .closed && recovery.epoch == "first" && recovery.state == [7, 8])
    #expect(recovery.lastSequence == 3 && recovery.nextSequence == 4)
    // Its state came with each record.
    #expect(recovery.tail.isEmpty)
    #expect(try await journal.outbox().map(\.seq) == [2, 3])
    #expect(try await journal.outbox().last?.floorsAscended == 1)
    #expect(try await journal.totalSteps() == 7)
    #expect(try await journal.answer(toCommand: "c1") == [9])
    try await journal.commit(.init(records: [walk(4, at: 5000)]))
    await journal.close()
    let (again, later) = try await Journal.open(scratch.configuration(), epoch: "other")
    #expect(later.tail == [walk(4, at: 5000)] && later.state == [7, 8])
    #expect(try await again.totalSteps() == 9)
    await again.close()
  }

  @Test func `a journal of a later version is set aside whole, and named`() async throws {
    try Database(path: scratch.database).execute(Self.first + "PRAGMA user_version = 7; CREATE TABLE later(x);")
    let (journal, recovery) = try await Journal.open(scratch.configuration(), epoch: "new")
    await journal.close()
    guard case .replaced(let path, let reason) = recovery.origin else {
      Issue.record("expected a replaced file, found \(recovery.origin)")
      return
    }
    #expect(reason == "it is of version 7, and this steps2mqtt knows versions up to \(Schema.migrations.count)")
    let kept = try Database(path: path).integerOnce("SELECT count(*) FROM records")
    #expect(kept == 3)
  }
}

extension Database {
  /// The only integer of a statement, of a database that is used for nothing else.
  fileprivate consuming func integerOnce(_ sql: String) throws -> Int64? { try integer(sql) }
}
