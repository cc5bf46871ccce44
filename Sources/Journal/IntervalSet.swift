/// A set of numbers kept as sorted intervals that neither overlap nor touch.
struct IntervalSet: Sendable, Equatable {
  private(set) var intervals: [ClosedRange<Int64>] = []

  init(_ intervals: some Sequence<ClosedRange<Int64>> = []) {
    for interval in intervals { insert(interval) }
  }

  /// The highest number of the set.
  var last: Int64? { intervals.last?.upperBound }

  /// Adds an interval, and joins what it overlaps or touches.
  mutating func insert(_ new: ClosedRange<Int64>) {
    let first = index { $0.upperBound.addingReportingOverflow(1).partialValue >= new.lowerBound }
    var end = first
    var lower = new.lowerBound
    var upper = new.upperBound
    while end < intervals.count, intervals[end].lowerBound - 1 <= upper {
      lower = min(lower, intervals[end].lowerBound)
      upper = max(upper, intervals[end].upperBound)
      end += 1
    }
    intervals.replaceSubrange(first..<end, with: CollectionOfOne(lower...upper))
  }

  /// Whether a number is in the set.
  func contains(_ number: Int64) -> Bool {
    let found = index { $0.upperBound >= number }
    return found < intervals.count && intervals[found].lowerBound <= number
  }

  /// Whether the set and a range have a number in common.
  func overlaps(_ range: ClosedRange<Int64>) -> Bool {
    let found = index { $0.upperBound >= range.lowerBound }
    return found < intervals.count && intervals[found].lowerBound <= range.upperBound
  }

  /// The parts of a range that are not in the set, in order.
  func gaps(in range: ClosedRange<Int64>) -> [ClosedRange<Int64>] {
    var result: [ClosedRange<Int64>] = []
    var next = range.lowerBound
    for interval in intervals[index(where: { $0.upperBound >= range.lowerBound })...] {
      if interval.lowerBound > range.upperBound { break }
      if interval.lowerBound > next { result.append(next...(interval.lowerBound - 1)) }
      if interval.upperBound >= range.upperBound { return result }
      next = interval.upperBound + 1
    }
    result.append(next...range.upperBound)
    return result
  }

  /// The intervals of this set that another one does not have as they are.
  func intervals(missingFrom other: IntervalSet) -> [ClosedRange<Int64>] {
    var position = 0
    return intervals.filter { interval in
      while position < other.intervals.count, other.intervals[position].lowerBound < interval.lowerBound {
        position += 1
      }
      return position >= other.intervals.count || other.intervals[position] != interval
    }
  }

  /// The position of the first interval for which a condition holds that, once true, stays true.
  private func index(where holds: (ClosedRange<Int64>) -> Bool) -> Int {
    var low = 0
    var high = intervals.count
    while low < high {
      let middle = (low + high) / 2
      if holds(intervals[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
