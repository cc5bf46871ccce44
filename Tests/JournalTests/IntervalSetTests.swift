import SeededRandom
import Testing

@testable import Journal

@Suite struct IntervalSetTests {
  @Test(
    arguments: [
      ([], []),
      ([1...3], [1...3]),
      ([5...5, 1...1], [1...1, 5...5]),
      ([1...3, 4...6], [1...6]),
      ([4...6, 1...3], [1...6]),
      ([1...2, 4...5, 3...3], [1...5]),
      ([1...9, 3...4], [1...9]),
      ([3...4, 8...9, 12...13, 1...12], [1...13]),
      ([3...4, 8...9, 4...8], [3...9]),
      ([1...1, 3...3, 5...5, 7...7, 3...5], [1...1, 3...5, 7...7]),
    ] as [([ClosedRange<Int64>], [ClosedRange<Int64>])])
  func `joins what overlaps or touches`(inserted: [ClosedRange<Int64>], expected: [ClosedRange<Int64>]) {
    #expect(IntervalSet(inserted).intervals == expected)
  }

  @Test(
    arguments: [
      (1...10, [1...2, 5...6, 10...10]),
      (3...4, []),
      (4...5, [5...5]),
      (5...6, [5...6]),
      (8...9, []),
      (9...12, [10...12]),
    ] as [(ClosedRange<Int64>, [ClosedRange<Int64>])])
  func `finds the gaps in a range`(range: ClosedRange<Int64>, gaps: [ClosedRange<Int64>]) {
    #expect(IntervalSet([3...4, 7...9]).gaps(in: range) == gaps)
    #expect(IntervalSet().gaps(in: range) == [range])
  }

  @Test(arguments: UInt64(1)...50) func `equals a set of numbers`(seed: UInt64) {
    var generator = SplitMix(seed: seed)
    var intervals = IntervalSet()
    var numbers: Set<Int64> = []
    for _ in 0..<60 {
      let first = Int64.random(in: 1...200, using: &generator)
      let range = first...(first + Int64.random(in: 0...6, using: &generator))
      let before = intervals
      #expect(intervals.overlaps(range) == !numbers.isDisjoint(with: range))
      intervals.insert(range)
      numbers.formUnion(range)
      #expect(intervals.intervals.flatMap(Array.init) == numbers.sorted())
      for (one, next) in zip(intervals.intervals, intervals.intervals.dropFirst()) {
        #expect(one.upperBound + 1 < next.lowerBound)
      }
      let asked = (first - 20)...(first + 20)
      #expect(intervals.gaps(in: asked).flatMap(Array.init) == asked.filter { !numbers.contains($0) })
      #expect(asked.filter(intervals.contains) == asked.filter(numbers.contains))
      var changed = Set(before.intervals)
      changed.subtract(before.intervals(missingFrom: intervals))
      changed.formUnion(intervals.intervals(missingFrom: before))
      #expect(changed == Set(intervals.intervals))
    }
  }

  @Test(arguments: UInt64(1)...5)
  func `acknowledged numbers stay so across reopenings, in any order`(seed: UInt64) async throws {
    let scratch = try Scratch()
    var generator = SplitMix(seed: seed)
    var unacknowledged: Set<Int64> = []
    var next: Int64 = 1
    for _ in 0..<6 {
      let (journal, recovery) = try await Journal.open(scratch.configuration(), epoch: "e")
      #expect(recovery.lastSequence == next - 1)
      for _ in 0..<12 {
        let numbers = next...(next + Int64.random(in: 0...8, using: &generator))
        try await journal.commit(.init(records: numbers.map { walk($0, at: $0 * 1000) }))
        unacknowledged.formUnion(numbers)
        next = numbers.upperBound + 1
        let first = Int64.random(in: 1..<next, using: &generator)
        let range = first...min(next - 1, first + Int64.random(in: 0...10, using: &generator))
        try await journal.commit(.init(acknowledged: [range]))
        unacknowledged.subtract(range)
        #expect(await journal.unacknowledgedCount == unacknowledged.count)
      }
      #expect(try await journal.outbox().map(\.seq) == unacknowledged.sorted())
      await journal.close()
    }
  }
}
