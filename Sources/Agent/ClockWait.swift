internal import Wire

/// Holds back records whose date cannot be true until the clock is right, which it will be soon after going online; but
/// not long.
///
/// A clock that is not synchronised but may be right (no time server, a container) holds nothing up: its records go out
/// at once and say `unsynchronized`.
struct ClockWait: Sendable, Equatable {
  /// How long records are held back, in ms of being online (the contract's figure).
  static let longest: Int64 = 120_000

  private enum Stage: Sendable, Equatable {
    /// Offline, after so many ms online.
    case offline(waited: Int64)
    /// Online since a moment of the monotonic clock, after so many ms before it.
    case online(since: Int64, waited: Int64)
    /// The clock was right once, or nobody waits for it any longer.
    case over
  }

  private let boot: String
  private let firstPossible: Int64
  private var stage = Stage.offline(waited: 0)

  /// Waits for the clock of a boot, which cannot be right before a date, in ms since 1970.
  init(boot: String, firstPossible: Int64) {
    self.boot = boot
    self.firstPossible = firstPossible
  }

  /// Whether a record is held back; one of another boot can never be dated better than it is.
  func holds(_ record: Record) -> Bool {
    stage != .over && !record.synchronized && record.wallEnd < firstPossible && record.boot == boot
  }

  /// When nobody waits any longer, in ms on the monotonic clock.
  var deadline: Int64? {
    switch stage {
    case .offline, .over: nil
    case .online(let since, let waited): since + Self.longest - waited
    }
  }

  /// Follows the clock and the connection.
  mutating func follow(isOnline: Bool, at now: Instant) {
    if now.synchronized { stage = .over }
    switch (stage, isOnline) {
    case (.over, _), (.offline, false): break
    case (.offline(let waited), true): stage = .online(since: now.monotonic, waited: waited)
    case (.online(let since, let waited), true):
      if now.monotonic - since + waited >= Self.longest { stage = .over }
    case (.online(let since, let waited), false): stage = .offline(waited: waited + now.monotonic - since)
    }
  }
}
