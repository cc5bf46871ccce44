import MQTT
import SeededRandom
import Testing

/// Draws always the same end of the range.
struct Extreme: RandomNumberGenerator {
  let value: UInt64
  mutating func next() -> UInt64 { value }
}

@Suite struct `The back-off` {
  @Test func `doubles its ceiling from 1 s to 120 s`() {
    var backoff = Backoff()
    var highest = Extreme(value: .max)
    let waits = (0..<9).map { _ in backoff.next(after: .zero, needsPatience: false, using: &highest) }
    let expected: [Double] = [1, 2, 4, 8, 16, 32, 64, 120, 120]
    for (wait, ceiling) in zip(waits, expected) {
      #expect(abs(wait / .seconds(1) - ceiling) < 1e-6)
    }
  }

  @Test func `may draw next to nothing, so that a fleet spreads`() {
    var backoff = Backoff()
    var lowest = Extreme(value: 0)
    for _ in 0..<9 { #expect(backoff.next(after: .zero, needsPatience: false, using: &lowest) == .zero) }
  }

  @Test(arguments: [(Duration.seconds(59), 120.0), (.seconds(60), 1.0)])
  func `begins anew only after a stable connection`(lifetime: Duration, ceiling: Double) {
    var backoff = Backoff()
    var highest = Extreme(value: .max)
    for _ in 0..<10 { _ = backoff.next(after: .zero, needsPatience: false, using: &highest) }
    let wait = backoff.next(after: lifetime, needsPatience: false, using: &highest)
    #expect(abs(wait / .seconds(1) - ceiling) < 1e-6)
  }

  @Test func `stays within its limits, whatever is drawn`() {
    var generator = SplitMix(seed: 1)
    var backoff = Backoff()
    for _ in 0..<5000 {
      let needsPatience = Bool.random(using: &generator)
      let lifetime = Duration.seconds(Int.random(in: 0...100, using: &generator))
      let wait = backoff.next(after: lifetime, needsPatience: needsPatience, using: &generator)
      #expect(wait <= .seconds(120))
      #expect(wait >= (needsPatience ? .seconds(60) : .zero))
    }
  }

  @Test func `spreads evenly: the mean of many first waits is half a second`() {
    var generator = SplitMix(seed: 7)
    var sum = Duration.zero
    for _ in 0..<2000 {
      var backoff = Backoff()
      sum += backoff.next(after: .zero, needsPatience: false, using: &generator)
    }
    #expect(abs(sum / .seconds(2000) - 0.5) < 0.03)
  }
}
