/// What the journal keeps in memory of what is on disk: a value, so that a transaction that fails leaves it as it was.
struct Contents: Sendable, Equatable {
  /// A boot that records refer to.
  struct Boot: Sendable, Equatable {
    var name: String
    var wallOffset: Int64?
  }

  /// How many boots are kept before those without records are forgotten: some devices restart many times a day.
  private static let bootCapacity = 64

  /// The numbers that need not be sent any more.
  var acknowledged = IntervalSet()
  /// The boots by their number on disk.
  var boots: [Int64: Boot] = [:]
  /// The highest number that was ever given to a record.
  var lastSequence: Int64 = 0
  /// How many records are not acknowledged.
  var unacknowledgedCount = 0
  /// The wall time in ms since 1970 at which no record was too old; nil if that is not known.
  var agesChecked: Int64?

  /// The wall time of a monotonic time minus that time, where the boot's clock is known.
  func wallOffset(boot: Int64) -> Int64? { boots[boot]?.wallOffset }
}

extension Contents {
  /// Reads what the file of a database holds.
  init(reading database: inout Database) throws(JournalError) {
    let acknowledged = try database.query("SELECT first, last FROM acknowledged ORDER BY first") { row in
      (first: row.integer(0), last: row.integer(1))
    }
    guard acknowledged.allSatisfy({ $0.first >= 1 && $0.first <= $0.last && $0.last < .max }) else {
      throw JournalError(.damaged, "its acknowledged ranges make no sense")
    }
    self.acknowledged = IntervalSet(acknowledged.map { $0.first...$0.last })
    for (id, boot) in try database.query(
      "SELECT id, name, wall_offset_ms FROM boots", [],
      { row in (row.integer(0), Boot(name: row.text(1), wallOffset: row.optionalInteger(2))) })
    {
      boots[id] = boot
    }
    let lastRecord = try database.integer("SELECT max(seq) FROM records") ?? 0
    lastSequence = max(lastRecord, self.acknowledged.last ?? 0)
    guard lastSequence < Row.bound else { throw JournalError(.damaged, "its record numbers make no sense") }
    if lastSequence > 0 { unacknowledgedCount = try count(in: 1...lastSequence, &database) }
  }

  /// Adds ranges to the acknowledged numbers, as far as they are known.
  mutating func acknowledge(_ ranges: [ClosedRange<Int64>], _ database: inout Database) throws(JournalError) {
    for range in ranges {
      let known = range.clamped(to: 1...max(1, lastSequence))
      guard lastSequence > 0, known.overlaps(range) else { continue }
      unacknowledgedCount -= try count(in: known, &database)
      acknowledged.insert(known)
    }
  }

  /// Writes what changed in the acknowledged ranges.
  func writeAcknowledged(differingFrom former: IntervalSet, _ database: inout Database) throws(JournalError) {
    for gone in former.intervals(missingFrom: acknowledged) {
      try database.run("DELETE FROM acknowledged WHERE first = ?", .integer(gone.lowerBound))
    }
    for new in acknowledged.intervals(missingFrom: former) {
      try database.run(
        "INSERT INTO acknowledged VALUES (?, ?)", .integer(new.lowerBound), .integer(new.upperBound))
    }
  }

  /// The number of the boot of a name; made if it is new.
  mutating func boot(named name: String, _ database: inout Database) throws(JournalError) -> Int64 {
    if let known = boots.first(where: { $0.value.name == name }) { return known.key }
    let id = (boots.keys.max() ?? 0) + 1
    if boots.count >= Self.bootCapacity { try forgetBoots(&database) }
    try database.run("INSERT INTO boots(id, name) VALUES (?, ?)", .integer(id), .text(name))
    boots[id] = Boot(name: name)
    return id
  }

  /// Forgets the boots of which no record is left, save the latest, which may be about to get one.
  private mutating func forgetBoots(_ database: inout Database) throws(JournalError) {
    let used = Set(try database.query("SELECT DISTINCT boot FROM records", []) { $0.integer(0) })
    let latest = boots.keys.max()
    for gone in boots.keys where !used.contains(gone) && gone != latest {
      try database.run("DELETE FROM boots WHERE id = ?", .integer(gone))
      boots[gone] = nil
    }
  }

  /// How many records of a range are not acknowledged.
  private func count(in range: ClosedRange<Int64>, _ database: inout Database) throws(JournalError) -> Int {
    var count = 0
    for gap in acknowledged.gaps(in: range) {
      count += Int(
        try database.integer(
          "SELECT count(*) FROM records WHERE seq BETWEEN ? AND ?", .integer(gap.lowerBound),
          .integer(gap.upperBound)) ?? 0)
    }
    return count
  }
}
