import Motion

/// Counts the samples that a device left out, from the gaps between its time stamps.
///
/// A trigger that was skipped or a transfer that failed leaves no other trace in a buffer.
struct GapCounter: Sendable {
  private let rate: Double?
  private var last: Double?

  /// For a nominal rate in samples/s; where it is not known, nothing is counted.
  init(rate: Double?) { self.rate = rate }

  /// How many samples are missing before the one at a time, in seconds.
  mutating func missing(before time: Double) -> Int {
    defer { last = time }
    guard let rate, let last, time - last > 1.7 / rate, time - last < 3600 else { return 0 }
    return Int(((time - last) * rate).rounded()) - 1
  }
}

/// Tells a frozen sensor, which gives 0, 0, 0 and says that all is well.
///
/// A living one gives that neither at rest (it feels gravity) nor falling (it has noise), at least not for long.
struct FrozenCheck: Sendable {
  /// After so long, in seconds, it is frozen.
  static let patience = 1.0
  private var since: Double?

  /// Whether the sensor is frozen, after a raw reading at a time in seconds.
  mutating func isFrozen(_ raw: SIMD3<Int64>, at time: Double) -> Bool {
    guard raw == SIMD3(repeating: 0) else {
      since = nil
      return false
    }
    let first = since ?? time
    since = first
    return time - first >= Self.patience
  }
}

/// Notices a wrong scale: at rest every accelerometer feels 1 g.
///
/// A window of a second counts as rest when the magnitude stays within 5 % of its mean; three windows of rest in a row
/// whose mean is outside 0.8 to 1.2 g say that the driver's scale is wrong, once.
struct GravityCheck: Sendable {
  private var start: Double?
  private var sum = 0.0
  private var count = 0.0
  private var lowest = Double.infinity
  private var highest = 0.0
  private var wrong = 0
  private var isDone = false

  /// The mean magnitude in g, when it is known to be wrong.
  mutating func take(_ sample: AccelerometerSample) -> Double? {
    guard !isDone else { return nil }
    let value = SIMD3(Double(sample.x), Double(sample.y), Double(sample.z))
    let magnitude = (value * value).sum().squareRoot()
    let first = start ?? sample.time
    start = first
    sum += magnitude
    count += 1
    lowest = min(lowest, magnitude)
    highest = max(highest, magnitude)
    guard sample.time - first >= 1 || sample.time < first else { return nil }
    let mean = sum / count
    let rests = count >= 5 && lowest > 0.95 * mean && highest < 1.05 * mean
    if rests { wrong = (0.8...1.2).contains(mean) ? 0 : wrong + 1 }
    (start, sum, count, lowest, highest) = (nil, 0, 0, .infinity, 0)
    guard wrong == 3 else { return nil }
    isDone = true
    return mean
  }
}
