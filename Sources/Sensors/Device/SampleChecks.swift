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
