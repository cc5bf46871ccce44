/// A set of whole numbers, kept as ascending ranges that do not touch.
struct IntervalSet: Sendable, Equatable {
  private(set) var ranges: [ClosedRange<Int64>] = []

  var isEmpty: Bool { ranges.isEmpty }

  /// Makes a set of numbers.
  init(_ numbers: some Sequence<Int64> = []) {
    for number in numbers { insert(number) }
  }

  /// How many ranges begin at or before a number.
  private func position(_ number: Int64) -> Int {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].lowerBound <= number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func contains(_ number: Int64) -> Bool {
    let index = position(number)
    return index > 0 && ranges[index - 1].upperBound >= number
  }

  mutating func insert(_ number: Int64) {
    let index = position(number)
    if index > 0, ranges[index - 1].upperBound >= number { return }
    let joinsLeft = index > 0 && ranges[index - 1].upperBound + 1 == number
    let joinsRight = index < ranges.count && ranges[index].lowerBound == number + 1
    switch (joinsLeft, joinsRight) {
    case (true, true):
      ranges[index - 1] = ranges[index - 1].lowerBound...ranges[index].upperBound
      ranges.remove(at: index)
    case (true, false): ranges[index - 1] = ranges[index - 1].lowerBound...number
    case (false, true): ranges[index] = number...ranges[index].upperBound
    case (false, false): ranges.insert(number...number, at: index)
    }
  }

  /// Takes away numbers that were inserted before, given as this set's former ranges.
  mutating func subtract(_ gone: [ClosedRange<Int64>]) {
    for range in gone {
      ranges = ranges.flatMap { kept -> [ClosedRange<Int64>] in
        guard kept.overlaps(range) else { return [kept] }
        var rest: [ClosedRange<Int64>] = []
        if kept.lowerBound < range.lowerBound { rest.append(kept.lowerBound...(range.lowerBound - 1)) }
        if kept.upperBound > range.upperBound { rest.append((range.upperBound + 1)...kept.upperBound) }
        return rest
      }
    }
  }
}
