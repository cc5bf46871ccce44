/// One moment by all clocks that matter; time reaches the machine only as such a value.
///
/// The samples' clock is the monotonic one: a sample's `time` in s times 1000 is `monotonic`. Where a recording plays
/// at another speed, the clock port drives all of these by the recording's own time.
public struct Instant: Sendable, Equatable {
  /// The boot-time clock (it goes on during suspend), in ms.
  public var monotonic: Int64
  /// The wall clock, in ms since 1970.
  public var wall: Int64
  /// The offset of the wearer's time zone from UTC, in s.
  public var zoneOffset: Int
  /// Whether the wall clock is synchronised.
  public var synchronized: Bool

  /// Makes an instant from ms on both clocks.
  public init(monotonic: Int64, wall: Int64, zoneOffset: Int = 0, synchronized: Bool = true) {
    self.monotonic = monotonic
    self.wall = wall
    self.zoneOffset = zoneOffset
    self.synchronized = synchronized
  }

  /// The wall time of a moment on the monotonic clock, in ms since 1970.
  public func wall(at monotonic: Int64) -> Int64 { wall - (self.monotonic - monotonic) }

  /// The wearer's day of a moment on the monotonic clock, counted since 1970.
  func day(at monotonic: Int64) -> Int64 {
    let local = wall(at: monotonic) + Int64(zoneOffset) * 1000
    return local >= 0 ? local / 86_400_000 : -((86_399_999 - local) / 86_400_000)
  }

  /// When the wearer's day began, in ms since 1970.
  var dayStart: Int64 { day(at: monotonic) * 86_400_000 - Int64(zoneOffset) * 1000 }

  /// The moment of a sample taken before this one, by all clocks; not before a moment of the monotonic clock, in ms.
  func back(toSample time: Double, notBefore floor: Int64) -> Instant {
    let moment = min(monotonic, max(floor, monotonic(ofSample: time)))
    return Instant(monotonic: moment, wall: wall(at: moment), zoneOffset: zoneOffset, synchronized: synchronized)
  }

  /// When the wearer's next day begins, in ms on the monotonic clock.
  var nextMidnight: Int64 {
    let local = wall + Int64(zoneOffset) * 1000
    return monotonic + (day(at: monotonic) + 1) * 86_400_000 - local
  }

  /// A moment of the samples' clock, in s, as ms on the monotonic clock; what is no number or lies ahead is now.
  func monotonic(ofSample time: Double) -> Int64 {
    guard time.isFinite, time >= 0, time < 9e12 else { return monotonic }
    return min(monotonic, Int64((time * 1000).rounded()))
  }
}
