import Glibc
import Host
import Synchronization

/// What a command says to whoever called it: results to standard output, complaints to standard error.
enum Console {
  private static let output = Terminal(.output)
  private static let error = Terminal(.error)

  /// Whether colours are understood and wanted on standard output.
  static var hasColours: Bool { output.hasColours }

  /// Whether a result could not be written.
  static var hasFailed: Bool { failed.withLock { $0 } }
  private static let failed = Mutex(false)

  /// Writes a result, with a line break; a reader that has gone (`| head`) ends the program as Ctrl-C does.
  static func print(_ text: String) {
    do throws(HostError) { try output.write(text + "\n") } catch {
      let isFirst = failed.withLock { failed in
        defer { failed = true }
        return !failed
      }
      guard isFirst else { return }
      if error.code == EPIPE { kill(getpid(), SIGTERM) } else { complain(error.message) }
    }
  }

  /// Writes a complaint, with the program's name before it, if anybody reads it.
  static func complain(_ text: String) { try? error.write("steps2mqtt: \(text)\n") }
}

/// How a command ended, as the shell sees it.
enum ExitStatus: Int32 {
  /// It was done.
  case done = 0
  /// It failed; standard error says why.
  case failed = 1
  /// It was used wrongly.
  case misused = 2
}
