extension Journal {
  /// Deletes acknowledged records that are too old or in the way, and plans what must leave the outbox.
  ///
  /// To be called about once a minute, and again at once as long as it gives a trim. The order under pressure:
  /// acknowledged records from the oldest on, then unsent step records merged into hours, then step records dropped,
  /// and events last. Pressure begins at 7/8 of the space and ends at 3/4.
  /// - Parameters:
  ///   - now: the wall time in ms since 1970; nil while the clock is not synchronised, for nothing is too old then.
  ///   - sparing: numbers on their way to the broker; they are neither merged nor dropped.
  /// - Returns: what to commit; nil if the journal is within its bounds.
  /// - Throws: `closed`, `full`, `readOnly`, `io` or `damaged`.
  public func tidy(at now: Int64?, sparing: [ClosedRange<Int64>] = []) throws(JournalError) -> Trim? {
    let maximum = try boundSize()
    try deleteAcknowledged(before: now.map { $0 - Int64(configuration.historyDays) * Self.day }, maximum: maximum)
    guard contents.unacknowledgedCount > 0 else { return nil }
    var kept = contents.acknowledged
    for range in sparing { kept.insert(range) }
    let eligible = kept.gaps(in: 1...max(1, contents.lastSequence))
    if let now, contents.agesChecked.map({ abs(now - $0) >= Self.hour }) ?? true {
      if let trim = try planByAge(at: now, eligible) { return trim }
      contents.agesChecked = now
    }
    let used = try usedBytes()
    guard used > maximum / 8 * 7 else { return nil }
    let relieving = planner(.space, before: nil, excess: used - maximum / 4 * 3, eligible)
    if let trim = try relieving.merge(&database) { return trim }
    if let trim = try relieving.drop(.steps, &database) { return trim }
    return try relieving.drop(.event, &database)
  }

  /// What the records and everything else take within the file, in bytes; the file itself never shrinks.
  public func usedBytes() throws(JournalError) -> Int64 {
    let pages = try database.integer("PRAGMA page_count") ?? 0
    return (pages - (try database.integer("PRAGMA freelist_count") ?? 0)) * Schema.pageSize
  }

  private static let day: Int64 = 86_400_000
  /// How long ages are not looked at again once nothing was too old: that reads every unsent record.
  private static let hour: Int64 = 3_600_000
  /// How many records are deleted in one transaction.
  private static let batch = 500

  private func planByAge(at now: Int64, _ eligible: [ClosedRange<Int64>]) throws(JournalError) -> Trim? {
    let age = Int64(configuration.unsentDays) * Self.day
    if let trim = try planner(.age, before: now - age, excess: .max, eligible).merge(&database) { return trim }
    let dropping = planner(.age, before: now - 2 * age, excess: .max, eligible)
    if let trim = try dropping.drop(.steps, &database) { return trim }
    return try dropping.drop(.event, &database)
  }

  private func planner(
    _ reason: Trim.Reason, before: Int64?, excess: Int64, _ eligible: [ClosedRange<Int64>]
  ) -> TrimPlanner {
    TrimPlanner(reason: reason, before: before, excess: excess, eligible: eligible, contents: contents)
  }

  /// Sets how far the file may grow: no farther than it is when the disk's free space is at the floor.
  private func boundSize() throws(JournalError) -> Int64 {
    var maximum = configuration.maximumBytes
    if let free = directory.freeBytes() {
      let size = (try database.integer("PRAGMA page_count") ?? 0) * Schema.pageSize
      maximum = min(maximum, max(size + max(0, free - configuration.freeDiskFloor), 1 << 20))
    }
    try database.execute("PRAGMA max_page_count = \(max(1, maximum / Schema.pageSize))")
    return maximum
  }

  /// Deletes acknowledged records in small batches, from the lowest number on.
  private func deleteAcknowledged(before: Int64?, maximum: Int64) throws(JournalError) {
    while true {
      let isTight = try usedBytes() > maximum / 8 * 7
      let candidates = try acknowledgedRecords(limit: Self.batch)
      let gone = candidates.filter { isTight || $0.start < before ?? .min }
      guard !gone.isEmpty else { return }
      try inTransaction { (contents, database) throws(JournalError) in
        for record in gone { try database.run("DELETE FROM records WHERE seq = ?", .integer(record.seq)) }
        // Below the first record that is left nothing can be sent: one range in place of many.
        let first = try database.integer("SELECT min(seq) FROM records") ?? contents.lastSequence + 1
        if first > 1 { contents.acknowledged.insert(1...(first - 1)) }
      }
      guard gone.count == Self.batch else { return }
    }
  }

  private func acknowledgedRecords(limit: Int) throws(JournalError) -> [(seq: Int64, start: Int64)] {
    var records: [(seq: Int64, start: Int64)] = []
    for interval in contents.acknowledged.intervals {
      guard records.count < limit else { break }
      records += try database.query(
        """
        SELECT seq, coalesce(\(TrimPlanner.dated), wall_start_ms) FROM records
        WHERE seq BETWEEN ? AND ? ORDER BY seq LIMIT ?
        """,
        [.integer(interval.lowerBound), .integer(interval.upperBound), .integer(Int64(limit - records.count))]
      ) { ($0.integer(0), $0.integer(1)) }
    }
    return records
  }
}
