extension Journal {
  /// The most intervals that one question may ask for.
  public static let maximumIntervals = 10_000

  /// The sums of an interval of wall time, whole or in buckets of equal length; the last one may be shorter.
  ///
  /// - Parameters:
  ///   - start: the first moment, in ms since 1970.
  ///   - end: the moment after the last, in ms since 1970.
  ///   - bucket: the length of a bucket in ms; nil for one sum of everything.
  /// - Returns: a sum a bucket, also of those in which nobody walked.
  /// - Throws: `refused` for more than 10,000 buckets; `closed`, `io` or `damaged`.
  public func history(
    from start: Int64, to end: Int64, bucket: Int64? = nil
  ) throws(JournalError) -> [Sum] {
    guard start < end else { return [] }
    guard let bucket else { return try history(edges: [start, end]) }
    let (length, overflow) = end.subtractingReportingOverflow(start)
    guard bucket > 0, !overflow, (length - 1) / bucket < Int64(Self.maximumIntervals) else {
      throw JournalError(.refused, "more than \(Self.maximumIntervals) buckets: ask for longer ones")
    }
    return try history(edges: Array(stride(from: start, to: end, by: Int64.Stride(bucket))) + [end])
  }

  /// The sums between each moment and the next, in ms since 1970 and ascending, such as midnights of a time zone.
  ///
  /// A record counts in each interval by the share of its length that lies there. Every step record is read: with 7
  /// days of history that is quicker than writing an index with each commit would be worth.
  public func history(edges: [Int64]) throws(JournalError) -> [Sum] {
    let edges = edges.map { min(max($0, -Row.bound), Row.bound) }
    var sums = zip(edges, edges.dropFirst()).map { Sum(start: $0, end: max($0, $1)) }
    guard sums.count <= Self.maximumIntervals else {
      throw JournalError(.refused, "more than \(Self.maximumIntervals) intervals: ask for fewer")
    }
    guard let first = edges.first, let last = edges.last, first < last else { return sums }
    let contents = contents
    _ = try database.query(
      """
      SELECT \(Record.columnsOfSum) FROM records
      WHERE kind = \(Record.Kind.steps.rawValue) AND (synchronized = 0
        OR wall_start_ms < ?1 AND wall_start_ms + max(0, mono_end_ms - mono_start_ms) >= ?2)
      """, [.integer(last), .integer(first)]
    ) { row in
      let record = Record(row, contents)
      let end = record.wallStart + max(0, record.monotonicEnd - record.monotonicStart)
      var position = Self.firstInterval(endingAfter: record.wallStart, in: sums)
      while position < sums.count, sums[position].start <= end {
        sums[position].add(record)
        position += 1
      }
    }
    return sums
  }

  private static func firstInterval(endingAfter time: Int64, in sums: [Sum]) -> Int {
    var low = 0
    var high = sums.count
    while low < high {
      let middle = (low + high) / 2
      if sums[middle].end > time { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
