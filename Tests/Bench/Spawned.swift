import Glibc
import Host

/// A program beside this one, and what it cost.
final class Spawned {
  /// What a program came to.
  struct Result {
    var status: CInt
    /// From its start to its end, in s.
    var seconds: Double
    /// Time on the processors, in s.
    var cpuSeconds: Double
  }

  let start: ContinuousClock.Instant
  private let process: ChildProcess
  private let log: String
  private let name: String

  /// The number by which the system knows it.
  var identifier: pid_t { process.identifier }

  /// Starts a program; a name without a slash is one beside this program, or else of the system.
  init(_ name: String, _ arguments: [String], in place: Place) throws {
    let own = "\(Place.programs)/\(name)"
    let path = name.contains("/") ? name : unsafe access(own, X_OK) == 0 ? own : ChildProcess.find(name)
    guard let path else { throw Unmeasured("\(name) is not installed") }
    self.name = name
    log = "\(place.path)/\(name.split(separator: "/").last ?? "").log"
    start = .now
    process = try ChildProcess(path: path, arguments: arguments, output: log)
  }

  /// Asks it to end, and waits until it has.
  func end() { process.end() }

  /// Waits until it has ended by itself with status 0, no longer than so many seconds.
  func wait(atMost limit: Double) throws -> Result {
    while true {
      var status: CInt = 0
      var usage = rusage()
      let ended = unsafe wait4(identifier, &status, WNOHANG, &usage)
      let seconds = start.duration(to: .now) / .seconds(1)
      if ended == identifier {
        guard status == 0 else { throw Unmeasured("\(name) failed (\(status)): \(complaint)") }
        let cpu = usage.ru_utime.seconds + usage.ru_stime.seconds
        return Result(status: status, seconds: seconds, cpuSeconds: cpu)
      }
      guard seconds < limit else { throw Unmeasured("\(name) did not end within \(figure(limit)) s: \(complaint)") }
      usleep(1000)
    }
  }

  /// The end of what it printed.
  var complaint: String {
    let bytes = (try? SmallFile.read(log, limit: 1 << 24).bytes) ?? []
    return String(decoding: bytes.suffix(500), as: UTF8.self)
  }
}

extension timeval {
  fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}
