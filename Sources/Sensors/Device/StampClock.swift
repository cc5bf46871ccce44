import Glibc

/// The clocks of this machine at one moment, in seconds.
struct ClockReadings: Sendable, Equatable {
  var boot: Double
  var monotonic: Double
  var real: Double

  static func now() -> ClockReadings {
    ClockReadings(boot: BootTime.now(), monotonic: read(CLOCK_MONOTONIC), real: read(CLOCK_REALTIME))
  }

  private static func read(_ clock: clockid_t) -> Double {
    var time = timespec()
    _ = unsafe clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// Turns a device's time stamps into boot time.
///
/// A stamp that cannot be by the clock that was promised (a first one more than ten seconds from now), and one of
/// another machine, is mapped as a line's time is: the first sample is now.
struct StampClock: Sendable {
  /// Which clock the stamps are by.
  enum Kind: String, Sendable {
    case boottime, monotonic, realtime, unknown
  }

  private(set) var kind: Kind
  private var isChecked = false
  private var lines = LineClock()

  init(_ kind: Kind) { self.kind = kind }

  /// The boot time of a stamp in nanoseconds.
  mutating func time(of stamp: Int64, at now: ClockReadings) -> Double {
    let seconds = Double(stamp) / 1e9
    let time: Double
    switch kind {
    case .boottime: time = seconds
    case .monotonic: time = seconds + (now.boot - now.monotonic)
    case .realtime: time = seconds + (now.boot - now.real)
    case .unknown: return lines.map(seconds, now: now.boot)
    }
    if !isChecked, abs(time - now.boot) > 10 {
      kind = .unknown
      return lines.map(seconds, now: now.boot)
    }
    isChecked = true
    return time
  }
}

/// Times for samples that come in bunches without stamps: evenly back from their arrival, never backwards.
struct ArrivalClock: Sendable {
  private let interval: Double
  private var last = -Double.infinity

  /// For a rate in samples/s.
  init(rate: Double) { interval = 1 / rate }

  /// The times of so many samples that arrived now.
  mutating func times(of count: Int, now: Double) -> [Double] {
    (0..<count).map { index in
      last = max(now - Double(count - 1 - index) * interval, last + interval / 10)
      return last
    }
  }
}
