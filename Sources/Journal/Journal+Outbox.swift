extension Journal {
  /// How many records are not acknowledged.
  public var unacknowledgedCount: Int { contents.unacknowledgedCount }

  /// The records after one number and up to another that are not acknowledged, in order.
  ///
  /// Records of a boot whose clock has become known since are dated anew.
  /// - Parameters:
  ///   - first: the number before the first; the last number of a page to get the next page.
  ///   - last: the last number.
  ///   - limit: how many at most.
  /// - Returns: the records by ascending number; none when there are no more.
  /// - Throws: `closed`, `io` or `damaged`.
  public func unacknowledged(
    after first: Int64, upTo last: Int64, limit: Int
  ) throws(JournalError) -> [Record] {
    let last = min(last, contents.lastSequence)
    guard first < last, contents.unacknowledgedCount > 0 else { return [] }
    var records: [Record] = []
    for gap in contents.acknowledged.gaps(in: max(1, first + 1)...last) {
      guard records.count < limit else { break }
      let contents = contents
      records += try database.query(
        "SELECT \(Record.columns) FROM records WHERE seq BETWEEN ? AND ? ORDER BY seq LIMIT ?",
        [.integer(gap.lowerBound), .integer(gap.upperBound), .integer(Int64(limit - records.count))]
      ) { Record($0, contents) }
    }
    return records
  }
}
