import Glibc

/// The clock that sensors date their samples by.
public enum BootTime {
  /// The seconds since the machine started, time asleep included (CLOCK_BOOTTIME).
  public static func now() -> Double {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_BOOTTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
