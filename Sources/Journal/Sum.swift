extension Journal {
  /// What was walked in an interval of wall time.
  public struct Sum: Sendable, Equatable {
    /// The interval's start, in ms since 1970.
    public var start: Int64
    /// The interval's end, in ms since 1970; not part of it.
    public var end: Int64
    /// The steps.
    public var steps = 0
    /// The distance on foot, in m.
    public var distance = 0.0
    /// The time on foot, in s.
    public var activeDuration = 0.0
    /// Floors climbed; nil if no record of the interval could measure them.
    public var floorsAscended: Int?
    /// Floors descended; nil if no record of the interval could measure them.
    public var floorsDescended: Int?

    /// Makes an empty sum of an interval in ms since 1970.
    public init(start: Int64, end: Int64) {
      self.start = start
      self.end = end
    }

    /// Adds the share of a record that lies in this interval.
    ///
    /// Whole numbers are shared out by rounding what had come about by each border, so that intervals side by side
    /// add up to the record. A record without length belongs to the interval in which it lies.
    mutating func add(_ record: Record) {
      let length = record.monotonicEnd - record.monotonicStart
      let from = Self.fraction(of: length, passedBy: start, since: record.wallStart)
      let to = Self.fraction(of: length, passedBy: end, since: record.wallStart)
      guard from < to else { return }
      func share(_ whole: Int) -> Int {
        Int((Double(whole) * to).rounded(.down)) - Int((Double(whole) * from).rounded(.down))
      }
      steps += share(record.steps)
      distance += record.distance * (to - from)
      activeDuration += record.activeDuration * (to - from)
      if let floors = record.floorsAscended { floorsAscended = (floorsAscended ?? 0) + share(floors) }
      if let floors = record.floorsDescended { floorsDescended = (floorsDescended ?? 0) + share(floors) }
    }

    private static func fraction(of length: Int64, passedBy time: Int64, since start: Int64) -> Double {
      if time <= start { return 0 }
      if length <= 0 || time - start >= length { return 1 }
      return Double(time - start) / Double(length)
    }
  }
}
