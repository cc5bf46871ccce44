public import Foundation
internal import Glibc
internal import Synchronization

/// A program that a test has started; it ends with its owner.
///
/// Foundation's `Process` waits by running the run loop of the calling thread, which starves Swift's small pool of
/// threads: hence `posix_spawn` and `waitpid`.
public final class Child: Sendable {
  private enum State {
    case running(pid_t)
    case ended(CInt)
  }
  private let state: Mutex<State>

  /// Starts a program, found as a shell would; its output goes to the end of a file.
  public init(
    _ name: String, _ arguments: [String] = [], output: String = "/dev/null", environment: [String: String] = [:]
  ) throws {
    let file = try program(name).path
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    unsafe posix_spawn_file_actions_adddup2(&actions, 1, 2)

    // The threads of a pool block signals, and a child inherits that: SIGTERM would never reach it.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

    let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }.map { "\($0)=\($1)" }
    var argv = unsafe ([file] + arguments).map { unsafe strdup($0) } + [nil]
    var envp = unsafe variables.map { unsafe strdup($0) } + [nil]
    defer { unsafe (argv + envp).forEach { unsafe free($0) } }
    var pid: pid_t = 0
    let result = unsafe posix_spawn(&pid, file, &actions, &attributes, &argv, &envp)
    guard result == 0 else {
      throw TestBroker.Failure(description: "\(name) cannot be started: \(unsafe String(cString: strerror(result)))")
    }
    state = Mutex(.running(pid))
  }

  deinit { end(SIGKILL) }

  /// Whether it still runs.
  public var isRunning: Bool {
    state.withLock { state in
      Self.reap(&state, WNOHANG)
      if case .running = state { return true } else { return false }
    }
  }

  /// The process id, 0 once it has ended.
  public var pid: pid_t {
    state.withLock { if case .running(let pid) = $0 { pid } else { 0 } }
  }

  /// Sends a signal, if it still runs.
  public func signal(_ number: CInt) {
    state.withLock { if case .running(let pid) = $0 { _ = kill(pid, number) } }
  }

  /// Sends a signal and waits for the end, which is forced upon one that does not come to it within half a minute.
  @discardableResult
  public func end(_ number: CInt = SIGTERM) -> CInt {
    signal(number)
    signal(SIGCONT)
    let deadline = Date(timeIntervalSinceNow: 30)
    while isRunning, Date() < deadline { usleep(2000) }
    signal(SIGKILL)
    return wait()
  }

  /// Waits for the end and gives the exit status; 128 and the number of the signal that ended it, as a shell says it.
  @discardableResult
  public func wait() -> CInt {
    state.withLock { state in
      Self.reap(&state, 0)
      if case .ended(let status) = state { return status } else { return -1 }
    }
  }

  private static func reap(_ state: inout State, _ options: CInt) {
    guard case .running(let pid) = state else { return }
    var status: CInt = 0
    while true {
      let result = unsafe waitpid(pid, &status, options)
      if result == pid { return state = .ended(status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + status & 0x7f) }
      if result == 0 { return }
      if errno != EINTR { return state = .ended(-1) }
    }
  }
}

/// Finds a program in `PATH` and in the directories for daemons, which a user's `PATH` may lack; a path is taken as it is.
public func program(_ name: String) throws -> URL {
  if name.contains("/") { return URL(fileURLWithPath: name) }
  let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
  for directory in path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/sbin", "/sbin"] {
    let file = URL(fileURLWithPath: directory).appending(path: name)
    if FileManager.default.isExecutableFile(atPath: file.path) { return file }
  }
  throw TestBroker.Failure(
    description: "\(name) is not installed: apt-get install mosquitto mosquitto-clients openssl python3")
}

/// Runs a program to its end and returns what it printed; a failure is thrown with what it complained about.
@discardableResult
public func run(_ name: String, _ arguments: [String]) async throws -> String {
  try await apart { try runBlocking(name, arguments) }
}

/// Does what holds a thread on one of its own, since Swift's pool has only as many as there are cores.
public func apart<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result(catching: work)) }
  }
}

/// As ``run(_:_:)``, holding the calling thread.
@discardableResult
func runBlocking(_ name: String, _ arguments: [String]) throws -> String {
  let file = FileManager.default.temporaryDirectory.appending(path: "steps2mqtt-output-\(UUID().uuidString)")
  defer { try? FileManager.default.removeItem(at: file) }
  let status = try Child(name, arguments, output: file.path).wait()
  let text = String(decoding: (try? Data(contentsOf: file)) ?? Data(), as: UTF8.self)
  guard status == 0 else {
    throw TestBroker.Failure(description: "\(name) \(arguments.joined(separator: " ")) (\(status)): \(text)")
  }
  return text
}
