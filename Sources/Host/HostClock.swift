import CSystemd
import Glibc
import Synchronization

/// The host's clocks: one that only goes forward, and one that people read.
public final class HostClock: Sendable {
  /// All clocks at one moment.
  public struct Reading: Sendable, Equatable {
    /// Milliseconds since the host was started, time asleep included (`CLOCK_BOOTTIME`).
    public var bootMilliseconds: Int64
    /// Milliseconds since 1970 in UTC; may jump.
    public var wallMilliseconds: Int64
    /// Whether `wallMilliseconds` can be believed.
    public var isSynchronized: Bool

    /// Makes a reading from its parts.
    public init(bootMilliseconds: Int64, wallMilliseconds: Int64, isSynchronized: Bool) {
      self.bootMilliseconds = bootMilliseconds
      self.wallMilliseconds = wallMilliseconds
      self.isSynchronized = isSynchronized
    }
  }

  /// 2024-01-01T00:00:00Z in ms: a clock that shows less was never set, since this program is younger.
  public static let leastWallMilliseconds: Int64 = 1_704_067_200_000

  /// systemd-timesyncd makes this file when it has set the clock for the first time since the host was started.
  private static let timesyncMark = "/run/systemd/timesync/synchronized"

  /// What changes seldom and takes system calls to know: it is looked at once a second at most.
  private struct Looked {
    /// Whether the clock was seen synchronised.
    ///
    /// The kernel says "unsynchronised" again some nine hours after the last contact with a time server (500 ppm until
    /// 16 s), and a clock that was right in the morning dates an offline day well enough.
    var wasSynchronized = false
    /// In which second since the host's start that was looked at.
    var second: Int64?
    /// The zone's offset in s, and in which second since 1970 it holds.
    var zone: (offset: Int, second: Int64)?
  }
  private let looked = Mutex(Looked())

  /// Microseconds on `CLOCK_MONOTONIC`, as systemd wants to have them.
  public static func monotonicMicroseconds() -> UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
  }

  /// What systemd sets a clock forward to that is behind: the date of the first of these files, else that of its own
  /// build, which Debian gives to the files of the package too.
  private static let clockEpochs = ["/usr/lib/clock-epoch", "/usr/lib/systemd/systemd"]

  /// What the clock shows at least that anybody has set, in ms since 1970; nil without systemd.
  ///
  /// A host without a clock of its own starts not in 1970 but when its systemd was built: what it shows on its first day
  /// from then on is no date.
  public static func firstPossibleDate() -> Int64? { firstPossibleDate(after: clockEpochs) }

  static func firstPossibleDate(after files: [String]) -> Int64? {
    for file in files {
      var status = stat()
      guard unsafe stat(file, &status) == 0 else { continue }
      return (Int64(status.st_mtim.tv_sec) + 86_400) * 1000
    }
    return nil
  }

  /// Makes the host's clock.
  public init() {}

  /// Reads all clocks.
  public func read() -> Reading {
    let wall = Self.milliseconds(CLOCK_REALTIME)
    let boot = Self.milliseconds(CLOCK_BOOTTIME)
    return Reading(
      bootMilliseconds: boot, wallMilliseconds: wall,
      isSynchronized: wall >= Self.leastWallMilliseconds && isSynchronized(inSecond: boot / 1000))
  }

  /// Seconds by which the zone's time is ahead of UTC at a moment given in ms since 1970, daylight saving included.
  public func zoneOffset(atWallMilliseconds wall: Int64) -> Int {
    let second = wall.floorDivided(by: 1000)
    return looked.withLock { looked in
      if let zone = looked.zone, zone.second == second { return zone.offset }
      let offset = Self.zoneOffset(inSecond: second)
      looked.zone = (offset, second)
      return offset
    }
  }

  /// The host's zone may change while the process runs: `/etc/localtime` is looked at each time.
  private static func zoneOffset(inSecond second: Int64) -> Int {
    tzset()
    var seconds = time_t(second)
    var parts = unsafe tm()
    guard unsafe localtime_r(&seconds, &parts) != nil else { return 0 }
    return unsafe parts.tm_gmtoff
  }

  /// Takes a zone other than the host's, such as `Europe/Berlin`.
  ///
  /// To be called before threads are started, since it changes the environment. Throws when there is no such zone.
  public static func useZone(_ name: String) throws(HostError) {
    let path = "/usr/share/zoneinfo/\(name)"
    guard try SmallFile.read(path, limit: 65_536).bytes.starts(with: Array("TZif".utf8)) else {
      throw HostError("'\(name)' is no time zone of \(path)")
    }
    unsafe setenv("TZ", ":\(name)", 1)
    tzset()
  }

  private func isSynchronized(inSecond second: Int64) -> Bool {
    looked.withLock { looked in
      if !looked.wasSynchronized, looked.second != second {
        looked.second = second
        looked.wasSynchronized = Self.isSynchronized
      }
      return looked.wasSynchronized
    }
  }

  private static var isSynchronized: Bool {
    var state = timex()
    let answer = unsafe ntp_adjtime(&state)
    let isKernelSure = answer >= 0 && answer != TIME_ERROR && state.status & STA_UNSYNC == 0
    return unsafe isKernelSure || access(timesyncMark, F_OK) == 0
  }

  private static func milliseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}

extension Int64 {
  func floorDivided(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
