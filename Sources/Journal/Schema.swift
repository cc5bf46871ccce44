/// The tables of the journal's file, and how a file of an earlier version gets there.
enum Schema {
  /// Marks the file as a journal: "S2MJ" in `application_id`.
  static let applicationID: Int64 = 0x5332_4d4a

  /// What leads from each version to the next; `user_version` counts what was carried out.
  ///
  /// What has been released is never edited: a change is a further entry.
  static let migrations = [
    """
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
    """,
    // The state no longer comes with every record: what it knows of them must be told.
    """
    ALTER TABLE state ADD COLUMN seq INTEGER NOT NULL DEFAULT 0;
    UPDATE state SET seq = coalesce((SELECT max(seq) FROM records), 0);
    """,
  ]

  /// Bytes a page.
  ///
  /// A commit rewrites whole pages: one or two of records, and one each of state and acknowledged ranges. Measured on
  /// 4,400 commits of one record (130 bytes of payload, 900 of state, each acknowledged): SQLite writes 11 MB with
  /// 512, 17 MB with 1,024 and 58 MB with 4,096 bytes a page. With 250 bytes of payload 512 wastes half of each page
  /// and saves little, and history reads three times as slowly.
  static let pageSize: Int64 = 1024

  /// How large the write-ahead log gets before it is written back, in bytes.
  ///
  /// Hot pages are then written once for hundreds of commits. The log's file is used again from its start, as growing
  /// a file costs a write of its own.
  static let logBytes: Int64 = 1 << 20

  /// Makes or migrates the tables; `epoch` names the epoch of a new file.
  static func prepare(_ database: inout Database, epoch: String) throws(JournalError) {
    let version = Int(try database.integer("PRAGMA user_version") ?? 0)
    let isEmpty = try database.integer("SELECT count(*) FROM sqlite_schema") == 0
    if !isEmpty, try database.integer("PRAGMA application_id") != applicationID {
      throw JournalError(.damaged, "it is a database of another program")
    }
    if version > migrations.count {
      throw JournalError(
        .damaged, "it is of version \(version), and this steps2mqtt knows versions up to \(migrations.count)")
    }
    guard version < migrations.count else { return }
    try database.execute("BEGIN IMMEDIATE")
    do throws(JournalError) {
      for migration in migrations[version...] { try database.execute(migration) }
      try database.execute("PRAGMA application_id = \(applicationID)")
      try database.execute("PRAGMA user_version = \(migrations.count)")
      if isEmpty { try database.run("INSERT INTO journal VALUES (1, ?, 0)", .text(epoch)) }
      try database.execute("COMMIT")
    } catch {
      database.rollback()
      throw error
    }
  }
}
