import Glibc

/// What the process costs the host.
public struct ProcessUsage: Sendable, Equatable {
  /// Memory in use, shared libraries included, in bytes.
  public var residentBytes: Int
  /// Memory that no other process shares, in bytes: what would be free if this one ended.
  public var privateBytes: Int
  /// Time on the processors since the start, in s.
  public var cpuSeconds: Double
  /// How often a thread has waited since the start: about the number of wake-ups.
  public var wakeUps: Int

  /// Looks now; figures that the kernel does not give are 0.
  ///
  /// The kernel walks through all the memory for it: once a minute is often enough.
  public static func read() -> ProcessUsage {
    let rollup = (try? SmallFile.read("/proc/self/smaps_rollup", limit: 65_536).bytes) ?? []
    let sizes = sizes(in: String(decoding: rollup, as: UTF8.self))
    var usage = rusage()
    unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return ProcessUsage(
      residentBytes: sizes["Rss"] ?? 0, privateBytes: (sizes["Private_Clean"] ?? 0) + (sizes["Private_Dirty"] ?? 0),
      cpuSeconds: usage.ru_utime.seconds + usage.ru_stime.seconds, wakeUps: usage.ru_nvcsw)
  }

  /// The sizes of lines `Name:   12 kB`, in bytes.
  static func sizes(in text: String) -> [String: Int] {
    var sizes: [String: Int] = [:]
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ", omittingEmptySubsequences: true)
      guard words.count == 3, words[2] == "kB", words[0].last == ":", let size = Int(words[1]) else { continue }
      sizes[String(words[0].dropLast())] = size * 1024
    }
    return sizes
  }
}

extension timeval {
  fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}

/// The room on disks.
public enum FreeSpace {
  /// The bytes that this user may still write on the file system of a path.
  public static func bytes(at path: String) throws(HostError) -> Int64 {
    var status = statvfs()
    guard unsafe statvfs(path, &status) == 0 else { throw HostError(file: path, code: errno) }
    return Int64(
      clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
  }
}
