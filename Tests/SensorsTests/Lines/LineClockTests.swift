import Motion
import Testing

@testable import Sensors

struct LineClockTests {
  /// Maps lines `(time, now)` one after the other.
  private func map(_ lines: [(time: Double, now: Double)]) -> [Double] {
    var clock = LineClock()
    return lines.map { clock.map($0.time, now: $0.now) }
  }

  @Test func `sets the first line to now and keeps the intervals of the others`() {
    #expect(map([(7, 500), (7.25, 509), (8, 500.5), (8, 501), (7.5, 501)]) == [500, 500.25, 501, 501, 500.5])
  }

  @Test func `begins anew when the sender's clock starts again`() {
    #expect(map([(900, 500), (901, 501), (0, 503), (1, 504)]) == [500, 501, 503, 504])
  }

  @Test func `begins anew when the sender's clock is set forward`() {
    #expect(map([(900, 500), (901, 501), (1e9, 501.5), (1e9 + 1, 503)]) == [500, 501, 502, 503])
  }

  @Test func `keeps a real gap as long as it was`() {
    #expect(map([(900, 500), (4500, 4100)]) == [500, 4100])
  }

  @Test(arguments: [0.99, 0.995, 1.0001, 1.01])
  func `follows a sender's clock that drifts, without a jump`(speed: Double) {
    var dates = LineDates(rate: 50)
    var last = 999.98
    // Three hours, in bunches of a fifth of a second.
    for bunch in 0..<54_000 {
      var samples = (0..<10).map { sample((Double(bunch * 10 + $0) / 50) * speed) }
      let now = 1_000 + Double(bunch) / 5
      dates.date(&samples, isStamped: true, inHurry: false, now: now)
      for sample in samples {
        guard abs(sample.time - last - 0.02) < 0.012 else {
          Issue.record("\(sample.time) after \(last)")
          return
        }
        last = sample.time
      }
      guard abs(last - now) < 1.5 else {
        Issue.record("\(last) is dated at \(now)")
        return
      }
    }
    #expect(dates.missing == 0)
  }

  @Test func `leaves the times of a file in a pipe as they are`() {
    var dates = LineDates(rate: 50)
    var all: [Double] = []
    for block in 0..<20 {
      var samples = (0..<1_000).map { sample(Double(block * 1_000 + $0) / 50) }
      dates.date(&samples, isStamped: true, inHurry: true, now: 1_000)
      all += samples.map(\.time)
    }
    #expect(all.indices.allSatisfy { abs(all[$0] - 1_000 - Double($0) / 50) < 1e-6 })
  }

  @Test func `leaves the motion engine a gap to see where lines came ahead of time`() {
    #expect(map([(0, 500), (9, 500), (18, 500), (0, 500), (1, 500)]) == [500, 509, 518, 519, 520])
  }
}

struct StampGapsTests {
  private func missing(_ times: [Double]) -> Int {
    var gaps = StampGaps()
    for time in times { gaps.take(time) }
    return gaps.missing
  }

  private let even = (0..<200).map { Double($0) / 25 }

  @Test func `counts holes of one and of many`() {
    #expect(missing(even) == 0)
    #expect(missing(even.filter { $0 != even[100] }) == 1)
    #expect(missing(Array(even[..<60] + even[77...])) == 17)
  }

  @Test func `takes a late stamp and a late sample for no loss`() {
    var late = even
    late[100] += 0.038
    #expect(missing(late) == 0)
    var overtaken = even
    overtaken.swapAt(100, 101)
    #expect(missing(overtaken) == 0)
  }

  @Test func `takes another clock for no loss`() {
    #expect(missing(even + even.map { $0 + 5_000 } + even) == 0)
  }

  @Test(arguments: [0, 1e-300, 1e-9])
  func `outlives stamps that are next to one another`(step: Double) {
    #expect(missing((0..<100).map { Double($0) * step } + [9]) >= 0)
  }
}

struct ChunksTests {
  @Test func `cuts samples after 0.19 s of their own time and loses none`() {
    let samples = (0..<100).map { sample(Double($0) / 50) }
    let chunks = Array(Chunks(samples))
    #expect(chunks.map(\.count) == Array(repeating: 10, count: 10))
    #expect(chunks.flatMap(\.self) == samples)
  }

  @Test func `cuts at a jump and after 1,024 samples on one stamp`() {
    let samples = [sample(0), sample(5), sample(4.9), sample(3)] + Array(repeating: sample(3), count: 2_000)
    #expect(Array(Chunks(samples)).map(\.count) == [1, 2, 1024, 977])
  }
}
