/// Allows so many a second on average, and a burst.
struct TokenBucket: Sendable, Equatable {
  /// Tokens that come in a second.
  let rate: Double
  /// Tokens that it holds at most.
  let burst: Double
  private var tokens: Double
  private var filled: Int64?

  init(rate: Double, burst: Double) {
    self.rate = rate
    self.burst = burst
    tokens = burst
  }

  /// Takes tokens if there are enough at a time in ms.
  mutating func take(_ count: Int = 1, at now: Int64) -> Bool {
    refill(now)
    guard tokens + 1e-9 >= min(Double(count), burst) else { return false }
    tokens -= Double(count)
    return true
  }

  /// The longest wait, in ms: some thirty years, where the rate is hardly above 0.
  private static let longestWait = 1e12

  /// When there will be enough tokens, in ms.
  func ready(_ count: Int, after now: Int64) -> Int64 {
    let missing = min(Double(count), burst) - tokens
    guard missing > 1e-9 else { return now }
    return max(now, (filled ?? now) + Int64(min(missing / rate * 1000, Self.longestWait).rounded(.up)))
  }

  private mutating func refill(_ now: Int64) {
    if let filled, now > filled { tokens = min(burst, tokens + Double(now - filled) / 1000 * rate) }
    filled = max(now, filled ?? now)
  }
}
