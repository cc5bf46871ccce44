extension Journal.Record {
  /// The columns that `init(_:_:)` reads.
  static let columns = """
    seq, kind, boot, mono_start_ms, mono_end_ms, wall_start_ms, wall_end_ms, synchronized, steps, distance_m,
    active_s, floors_ascended, floors_descended, replaces_first, replaces_last, payload
    """

  /// The same columns without what sums do not need.
  static let columnsOfSum = """
    seq, kind, boot, mono_start_ms, mono_end_ms, wall_start_ms, wall_end_ms, synchronized, steps, distance_m,
    active_s, floors_ascended, floors_descended, NULL, NULL, NULL
    """

  /// Reads a record, and dates it anew if its clock was not synchronised then and is known now.
  init(_ row: borrowing Row, _ contents: Contents) {
    let boot = row.integer(2)
    self.init(
      seq: row.integer(0), kind: Kind(rawValue: row.integer(1)) ?? .event, boot: contents.boots[boot]?.name ?? "",
      monotonicStart: row.boundedInteger(3), monotonicEnd: row.boundedInteger(4), wallStart: row.boundedInteger(5),
      wallEnd: row.boundedInteger(6), isSynchronized: row.integer(7) != 0, steps: row.count(8),
      distance: row.real(9), activeDuration: row.real(10),
      floorsAscended: row.optionalInteger(11).map { _ in row.count(11) },
      floorsDescended: row.optionalInteger(12).map { _ in row.count(12) }, payload: row.bytes(15))
    if let first = row.optionalInteger(13), let last = row.optionalInteger(14), first <= last {
      replaces = first...last
    }
    if !isSynchronized, let offset = contents.wallOffset(boot: boot) {
      wallStart = monotonicStart + offset
      wallEnd = monotonicEnd + offset
      isSynchronized = true
    }
  }

  /// Appends the record, with its boot's number; a measure that is not a number counts as 0.
  func insert(boot: Int64, _ database: inout Database) throws(JournalError) {
    try database.run(
      "INSERT INTO records(\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      .integer(seq), .integer(kind.rawValue), .integer(boot), .integer(monotonicStart), .integer(monotonicEnd),
      .integer(wallStart), .integer(wallEnd), .integer(isSynchronized ? 1 : 0), .integer(Int64(steps)),
      .real(distance.isFinite ? distance : 0), .real(activeDuration.isFinite ? activeDuration : 0),
      Database.Value(floorsAscended), Database.Value(floorsDescended),
      Database.Value(replaces?.lowerBound), Database.Value(replaces?.upperBound), .blob(payload))
  }
}
