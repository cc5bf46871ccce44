import Synchronization

/// A clock on which a sleeper wakes at once, and time goes by only through sleeping (and `advance`).
///
/// For one task: what it waited for is kept, in seconds from the clock's zero.
final class VirtualClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private let state = Mutex<(now: Duration, woke: [Double])>((.zero, []))

  var now: Instant { Instant(offset: state.withLock { $0.now }) }
  var minimumResolution: Duration { .zero }
  /// When sleepers woke, in seconds.
  var woke: [Double] { state.withLock { $0.woke } }
  var seconds: Double { now.offset / .seconds(1) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    state.withLock {
      $0.now = max($0.now, deadline.offset)
      $0.woke.append($0.now / .seconds(1))
    }
  }

  func advance(by duration: Duration) {
    state.withLock { $0.now += duration }
  }
}
