extension Journal {
  /// The events of an interval of wall time that are kept, by ascending number.
  ///
  /// - Parameters:
  ///   - start: the first moment, in ms since 1970.
  ///   - end: the moment after the last, in ms since 1970.
  /// - Returns: the events whose moment lies in the interval.
  /// - Throws: `closed`, `io` or `damaged`.
  public func events(from start: Int64, to end: Int64) throws(JournalError) -> [Record] {
    let contents = contents
    return try database.query(
      "SELECT \(Record.columns) FROM records WHERE kind = \(Record.Kind.event.rawValue) ORDER BY seq"
    ) { Record($0, contents) }.filter { start <= $0.wallEnd && $0.wallEnd < end }
  }
}
