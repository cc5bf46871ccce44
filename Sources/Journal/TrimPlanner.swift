/// Finds which unsent records to merge or to drop; changes nothing.
struct TrimPlanner {
  /// The most records that one trim removes, so that its commit stays short.
  static let maximumRecords = 5_000
  /// What a record takes on disk beside its payload, in bytes; typical of its columns.
  static let bytesPerRecord: Int64 = 80

  let reason: Journal.Trim.Reason
  /// Only what began before this moment, in ms since 1970; nil for all, also what cannot be dated.
  let before: Int64?
  /// When enough is freed, in bytes.
  let excess: Int64
  /// The ranges of numbers that may go.
  let eligible: [ClosedRange<Int64>]
  let contents: Contents

  /// The start of a record on the wall clock; null if its clock was never known.
  static let dated = """
    CASE WHEN synchronized THEN wall_start_ms
    ELSE mono_start_ms + (SELECT wall_offset_ms FROM boots WHERE id = boot) END
    """

  /// Merges runs of step records that began within the same hour and between which nothing was acknowledged, so that
  /// a merged record stands for exactly the step records of its range.
  func merge(_ database: inout Database) throws(JournalError) -> Journal.Trim? {
    var groups: [Group] = []
    var (freed, count) = (Int64(0), 0)
    for range in eligible {
      var group: Group?
      for (record, bytes) in try candidates(in: range, database: &database) {
        if group?.take(record, bytes) != true {
          if let group, group.count > 1 {
            groups.append(group)
            freed += group.bytes
            count += group.count
          }
          group = nil
          if freed >= excess || count >= Self.maximumRecords { break }
          group = Group(record, bytes)
        }
      }
      if let group, group.count > 1 {
        groups.append(group)
        freed += group.bytes
        count += group.count
      }
      if freed >= excess || count >= Self.maximumRecords { break }
    }
    return try trim(.steps, groups.flatMap(\.removed), groups.map(\.merged), &database)
  }

  /// Drops the oldest records of a kind.
  func drop(_ kind: Journal.Record.Kind, _ database: inout Database) throws(JournalError) -> Journal.Trim? {
    var candidates: [(date: Int64, seq: Int64, steps: Int, bytes: Int64)] = []
    for range in eligible {
      candidates += try database.query(
        """
        SELECT \(Self.dated) AS dated, seq, steps, length(payload) FROM records
        WHERE seq BETWEEN ?1 AND ?2 AND kind = ?3 AND (?4 IS NULL OR \(Self.dated) < ?4)
        ORDER BY dated, seq LIMIT \(Self.maximumRecords)
        """, [.integer(range.lowerBound), .integer(range.upperBound), .integer(kind.rawValue), .init(before)]
      ) { ($0.optionalInteger(0) ?? .min, $0.integer(1), $0.count(2), $0.integer(3) + Self.bytesPerRecord) }
    }
    candidates.sort { ($0.date, $0.seq) < ($1.date, $1.seq) }
    var freed: Int64 = 0
    var removed: [(seq: Int64, steps: Int)] = []
    for candidate in candidates.prefix(Self.maximumRecords) where freed < excess {
      freed += candidate.bytes
      removed.append((candidate.seq, candidate.steps))
    }
    return try trim(kind, removed.sorted { $0.seq < $1.seq }, [], &database)
  }

  private func candidates(
    in range: ClosedRange<Int64>, database: inout Database
  ) throws(JournalError) -> [(Journal.Record, Int64)] {
    let contents = contents
    return try database.query(
      """
      SELECT \(Journal.Record.columnsOfSum), length(payload) FROM records
      WHERE seq BETWEEN ?1 AND ?2 AND kind = 0 AND replaces_first IS NULL AND (?3 IS NULL OR \(Self.dated) < ?3)
      ORDER BY seq LIMIT \(Self.maximumRecords)
      """, [.integer(range.lowerBound), .integer(range.upperBound), .init(before)]
    ) { (Journal.Record($0, contents), $0.integer(16) + Self.bytesPerRecord) }
  }

  private func trim(
    _ kind: Journal.Record.Kind, _ removed: [(seq: Int64, steps: Int)], _ merged: [Journal.Record],
    _ database: inout Database
  ) throws(JournalError) -> Journal.Trim? {
    guard let first = removed.first, let last = removed.last else { return nil }
    var ranges: [ClosedRange<Int64>] = []
    var position = 0
    var joins = false
    for seq in try database.query(
      "SELECT seq FROM records WHERE seq BETWEEN ? AND ? ORDER BY seq", [.integer(first.seq), .integer(last.seq)],
      { $0.integer(0) })
    {
      guard removed[position].seq == seq else {
        joins = false
        continue
      }
      if joins, let open = ranges.popLast() {
        ranges.append(open.lowerBound...seq)
      } else {
        ranges.append(seq...seq)
      }
      joins = true
      position += 1
      if position == removed.count { break }
    }
    return Journal.Trim(
      reason: reason, kind: kind, ranges: ranges, records: removed.count,
      steps: removed.reduce(0) { $0 + $1.steps }, merged: merged)
  }
}

extension TrimPlanner {
  /// Step records that become one.
  struct Group {
    private(set) var merged: Journal.Record
    private(set) var removed: [(seq: Int64, steps: Int)]
    private(set) var bytes: Int64
    private let hour: Int64

    var count: Int { removed.count }

    init(_ first: Journal.Record, _ bytes: Int64) {
      merged = first
      merged.seq = 0
      merged.replaces = first.seq...first.seq
      removed = [(first.seq, first.steps)]
      self.bytes = bytes
      hour = Self.hour(of: first)
    }

    /// Adds a record, unless it belongs to another hour, boot or kind of clock.
    mutating func take(_ record: Journal.Record, _ bytes: Int64) -> Bool {
      guard Self.hour(of: record) == hour, record.boot == merged.boot,
        record.isSynchronized == merged.isSynchronized
      else { return false }
      merged.monotonicEnd = max(merged.monotonicEnd, record.monotonicEnd)
      merged.wallEnd = max(merged.wallEnd, record.wallEnd)
      merged.steps += record.steps
      merged.distance += record.distance
      merged.activeDuration += record.activeDuration
      merged.floorsAscended = Self.sum(merged.floorsAscended, record.floorsAscended)
      merged.floorsDescended = Self.sum(merged.floorsDescended, record.floorsDescended)
      merged.replaces = (removed.first?.seq ?? record.seq)...record.seq
      removed.append((record.seq, record.steps))
      self.bytes += bytes
      return true
    }

    private static func hour(of record: Journal.Record) -> Int64 {
      Int64((Double(record.wallStart) / 3_600_000).rounded(.down))
    }

    private static func sum(_ first: Int?, _ second: Int?) -> Int? {
      first == nil && second == nil ? nil : (first ?? 0) + (second ?? 0)
    }
  }
}
