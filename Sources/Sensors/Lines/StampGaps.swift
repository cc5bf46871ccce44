/// Counts the samples that got lost on their way, from the holes between the times that their sender gave them.
///
/// The interval is learnt. A hole with less than half an interval after it was no loss but a late stamp, and a sample
/// that comes late fills its hole.
struct StampGaps: Sendable {
  /// So many intervals are looked at before one is known: the one in the middle.
  private static let looks = 32
  /// How much of an interval changes what is known.
  private static let gain = 0.01
  /// What is so much longer is a hole, and so much shorter makes up for one.
  private static let (hole, short) = (1.7, 0.5)
  /// What comes faster, in seconds, is no interval of an accelerometer.
  private static let shortest = 1e-4
  /// What is further back, in seconds, is by another clock.
  private static let back = 1.0

  private var seen: [Double] = []
  private var interval: Double?
  private var last: Double?
  /// Of the hole before the last sample.
  private var pending = 0
  /// How many are missing so far.
  private(set) var missing = 0

  /// Says that the next sample is by another sender or another clock.
  mutating func restart() { (seen, interval, last, pending) = ([], nil, nil, 0) }

  /// Takes the sender's time of a sample, in seconds.
  mutating func take(_ time: Double) {
    guard let last else { return self.last = time }
    let passed = time - last
    guard passed > 0 else {
      if passed < -Self.back { return restart() }
      if passed < 0 { pending = max(0, pending - 1) }
      return
    }
    self.last = time
    guard passed < LineClock.forward else { return restart() }
    guard let interval else { return learn(passed) }
    if passed < Self.short * interval { pending = max(0, pending - 1) }
    missing += pending
    pending = 0
    if passed > Self.hole * interval {
      pending = Int((passed / interval).rounded()) - 1
    } else {
      self.interval = max(Self.shortest, interval + (passed - interval) * Self.gain)
    }
  }

  private mutating func learn(_ passed: Double) {
    seen.append(passed)
    guard seen.count == Self.looks else { return }
    interval = max(Self.shortest, seen.sorted()[Self.looks / 2])
    seen = []
  }
}
