import Glibc
import Synchronization

/// A program that runs beside this one and ends with it.
public final class ChildProcess: Sendable {
  /// The number by which the system knows it.
  public let identifier: Int32
  /// Its number is another's, once somebody has asked how it ended.
  private let isReaped = Mutex(false)

  /// Starts a program in a process group of its own, so that Ctrl-C does not reach it.
  ///
  /// - Parameters:
  ///   - path: the program's file.
  ///   - arguments: what it is called with, without its own name.
  ///   - output: the file that takes what it prints; emptied first.
  /// - Throws: an error that names the program when it cannot be started.
  public init(path: String, arguments: [String], output: String) throws(HostError) {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    unsafe posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    // The threads of a pool block signals, and a child would inherit that: SIGTERM would never reach it.
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))

    var words: [UnsafeMutablePointer<CChar>?] = unsafe ([path] + arguments).map { unsafe strdup($0) }
    defer { unsafe words.forEach { unsafe free($0) } }
    unsafe words.append(nil)
    var identifier: pid_t = 0
    let status = unsafe posix_spawn(&identifier, path, &actions, &attributes, words, environ)
    guard status == 0 else { throw HostError(file: path, code: status) }
    self.identifier = identifier
  }

  deinit { end() }

  /// Whether it has ended.
  public var hasEnded: Bool { isReaped.withLock { reap(&$0, WNOHANG) } }

  /// Asks it to end, and waits until it has.
  public func end() {
    isReaped.withLock { isReaped in
      guard !isReaped else { return }
      kill(identifier, SIGTERM)
      while !reap(&isReaped, 0) {}
    }
  }

  private func reap(_ isReaped: inout Bool, _ options: Int32) -> Bool {
    guard !isReaped else { return true }
    var status: Int32 = 0
    let result = unsafe waitpid(identifier, &status, options)
    isReaped = result == identifier || (result < 0 && errno != EINTR)
    return isReaped
  }

  /// The file of a program, looked for in `PATH` and in the directories of daemons; nil where it is not installed.
  public static func find(_ name: String) -> String? {
    let directories =
      (Environment["PATH"] ?? "").split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/sbin"]
    return directories.map { "\($0)/\(name)" }.first { unsafe access($0, X_OK) == 0 }
  }
}
