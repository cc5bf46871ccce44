public import Foundation
internal import Glibc
internal import Synchronization

/// A real mosquitto on free loopback ports with a directory of its own; it ends with its owner.
public final class TestBroker: Sendable {
  /// What stood in the way of a broker.
  public struct Failure: Error, CustomStringConvertible {
    /// What is missing, and what to do about it.
    public let description: String
  }

  /// The port of the plain listener.
  public let port: UInt16
  /// The port of the TLS listener, if there is one.
  public let tlsPort: UInt16?
  /// The directory of its configuration, its stored sessions, and its log.
  public let directory: URL
  private let process = Mutex<Child?>(nil)

  /// Writes a configuration and starts the broker.
  ///
  /// - Parameters:
  ///   - isPersistent: whether sessions and retained messages survive ``stop()`` and ``start()``.
  ///   - options: further lines of `mosquitto.conf`; without `password_file` everybody is let in.
  ///   - tls: lines for a second, encrypted listener, such as `certfile …`.
  ///   - passwords: the users that are let in, all others are refused.
  ///   - access: the lines of the access rules.
  /// - Throws: ``Failure`` if mosquitto is missing or does not come up.
  public init(
    isPersistent: Bool = false, options: [String] = [], tls: [String]? = nil, passwords: [String: String] = [:],
    access: [String] = []
  ) throws {
    port = try Self.freePort()
    tlsPort = try tls.map { _ in try Self.freePort() }
    directory = try Self.makeDirectory("broker")

    var lines = ["persistence \(isPersistent)", "persistence_location \(directory.path)/", "log_dest stderr"] + options
    lines += ["log_type all", "connection_messages true"]
    if getuid() == 0 { lines.append("user root") }
    if passwords.isEmpty {
      lines.append("allow_anonymous true")
    } else {
      let file = directory.appending(path: "passwords")
      try Data().write(to: file)
      for (user, password) in passwords {
        try runBlocking("mosquitto_passwd", ["-b", file.path, user, password])
      }
      lines += ["allow_anonymous false", "password_file \(file.path)"]
    }
    if !access.isEmpty {
      let file = directory.appending(path: "access")
      try Data((access.joined(separator: "\n") + "\n").utf8).write(to: file)
      lines.append("acl_file \(file.path)")
    }
    lines.append("listener \(port) 127.0.0.1")
    if let tls, let tlsPort { lines += ["listener \(tlsPort) 127.0.0.1"] + tls }
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: directory.appending(path: "mosquitto.conf"))
    try start()
  }

  deinit {
    stop()
    try? FileManager.default.removeItem(at: directory)
  }

  /// Starts it, again if it was stopped, and waits until it listens.
  public func start() throws {
    let process = try Child(
      "mosquitto", ["-c", directory.appending(path: "mosquitto.conf").path],
      output: directory.appending(path: "log").path)
    self.process.withLock { $0 = process }
    let deadline = Date(timeIntervalSinceNow: 10)
    for port in [port, tlsPort].compactMap(\.self) {
      while !Self.isListening(port) {
        guard process.isRunning, Date() < deadline else {
          throw Failure(description: "mosquitto does not listen at \(port):\n\(logText)")
        }
        usleep(10_000)
      }
    }
  }

  /// Ends it in good order, so that it stores what is to be kept; waits until it is gone.
  public func stop() { process.withLock { _ = $0?.end(SIGTERM) } }

  /// Ends it as a power cut would.
  public func kill() { process.withLock { _ = $0?.end(SIGKILL) } }

  /// Holds it as it is: connections stay, nothing is answered.
  public func freeze() { process.withLock { $0?.signal(SIGSTOP) } }

  /// Lets it go on.
  public func thaw() { process.withLock { $0?.signal(SIGCONT) } }

  /// What it logged.
  public var logText: String {
    (try? String(contentsOf: directory.appending(path: "log"), encoding: .utf8)) ?? ""
  }

  /// A port that was free a moment ago, and that this process gives to nobody else.
  ///
  /// It lies below those that the system gives to outgoing connections, one of which would soon take it.
  public static func freePort() throws -> UInt16 {
    for _ in 0..<100 {
      let port = UInt16.random(in: 12_000..<32_000)
      // Not to be inherited: a child that another test starts just now would keep the port taken as long as it lives.
      let socket = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      defer { close(socket) }
      guard unsafe loopback(port, { unsafe bind(socket, $0, $1) }) == 0 else { continue }
      // Between now and its use another test may ask.
      if ports.withLock({ $0.given.insert(port).inserted }) { return port }
    }
    throw Failure(description: "no free port on 127.0.0.1")
  }

  /// The ports that were given already.
  private struct Ports {
    var given: Set<UInt16> = []
  }
  private static let ports = Mutex(Ports())

  /// Whether something accepts connections at the port.
  public static func isListening(_ port: UInt16) -> Bool {
    let socket = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(socket) }
    return unsafe loopback(port, { unsafe connect(socket, $0, $1) }) == 0
  }

  /// Makes a directory of its own below the system's temporary one; it goes when the process ends.
  public static func makeDirectory(_ name: String) throws -> URL {
    let directory = FileManager.default.temporaryDirectory.appending(path: "steps2mqtt-\(name)-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    directories.withLock { $0.append(directory) }
    _ = removal
    return directory
  }

  /// All directories made here, removed when the process ends.
  private static let directories = Mutex<[URL]>([])
  private static let removal: CInt = atexit {
    TestBroker.directories.withLock { directories in
      for directory in directories { try? FileManager.default.removeItem(at: directory) }
    }
  }
}

/// Binds or connects to a port of the loopback: hands its address to a call of the system.
@unsafe public func loopback(_ port: UInt16, _ call: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
  return unsafe withUnsafePointer(to: &address) { pointer in
    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      unsafe call($0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
}
