import Motion
import Testing

@testable import Sensors

struct LineDatesTests {
  @Test func `puts in order what overtook, and leaves a clock that was set back`() {
    var samples = [2.0, 2.04, 2.02, 2.02, 0, 0.02, 2.06].map { sample($0) }
    LineDates.order(&samples)
    #expect(samples.map(\.time) == [2, 2.02, 2.02, 2.04, 0, 0.02, 2.06])
  }

  @Test func `takes another sender's times for another clock, however near they are`() {
    var dates = LineDates(rate: 50)
    var first = [sample(7), sample(7.02)]
    dates.date(&first, isStamped: true, inHurry: false, now: 500)
    dates.restart()
    var second = [sample(7.04), sample(7.06)]
    dates.date(&second, isStamped: true, inHurry: false, now: 520)
    #expect(first.map(\.time) == [500, 500.02])
    #expect(second.map(\.time) == [520, 520.02])
  }
}

struct ArrivalRateTests {
  /// The times of samples that a sender took at a rate, and that arrive in bunches of some 0.15 s that are late by
  /// something each.
  private func times(rate: Double, thoughtToBe nominal: Double, seconds: Double) -> [Double] {
    var arrivals = ArrivalRate(rate: nominal)
    var times: [Double] = []
    var random = SplitMix(seed: 3)
    var now = 1_000.0
    var sent = 0
    while now < 1_000 + seconds {
      now += 0.15 + .random(in: 0...0.03, using: &random)
      let count = Int((now - 1_000) * rate) - sent
      sent += count
      var samples = (0..<count).map { _ in sample(0) }
      arrivals.date(&samples, inHurry: false, now: now)
      times += samples.map(\.time)
    }
    return times
  }

  @Test(arguments: [12.5, 25, 50, 100, 190])
  func `finds the rate, and keeps it evenly`(rate: Double) throws {
    let times = times(rate: rate, thoughtToBe: 50, seconds: 60)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    let late = Array(times.suffix(Int(20 * rate)))
    let intervals = zip(late.dropFirst(), late).map { $0 - $1 }
    let mean = intervals.reduce(0, +) / Double(intervals.count)
    #expect(abs(mean * rate - 1) < 0.02)
    #expect(intervals.allSatisfy { abs($0 / mean - 1) < 0.25 })
    #expect(try abs(#require(times.last) - 1_060) < 0.5)
  }

  @Test func `takes what was piped in at once at the rate that was said`() {
    var arrivals = ArrivalRate(rate: 50)
    var times: [Double] = []
    for now in [1_000, 1_000.1, 1_000.2, 1_000.3] {
      var samples = (0..<1_000).map { _ in sample(0) }
      arrivals.date(&samples, inHurry: now < 1_000.3, now: now)
      times += samples.map(\.time)
    }
    #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.02) < 1e-6 })
  }

  @Test func `leaves the motion engine a gap to see after a pause`() {
    var arrivals = ArrivalRate(rate: 50)
    var first = [sample(0)]
    arrivals.date(&first, inHurry: false, now: 1_000)
    var second = [sample(0), sample(0)]
    arrivals.date(&second, inHurry: false, now: 1_030)
    #expect(abs(second[0].time - 1_029.98) < 1e-6 && abs(second[1].time - 1_030) < 1e-6)
  }
}
