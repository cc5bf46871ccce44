import Glibc
import Testing

@testable import Host

/// What depends on the process's environment, one after the other since it is shared.
@Suite(.serialized) struct EnvironmentTests {
  @Test func `reads the environment`() {
    with("STEPS2MQTT_TEST", "a=b") {
      #expect(Environment["STEPS2MQTT_TEST"] == "a=b")
      #expect(Environment.all["STEPS2MQTT_TEST"] == "a=b")
    }
    #expect(Environment["STEPS2MQTT_TEST"] == nil)
  }

  @Test(arguments: [
    // 2026-01-15 and 2026-07-15, noon in UTC; the rules stand in the variable, so that no zone files are needed.
    ("CET-1CEST,M3.5.0,M10.5.0/3", 1_768_478_400_000, 3600), ("CET-1CEST,M3.5.0,M10.5.0/3", 1_784_116_800_000, 7200),
    ("IST-5:30", 1_768_478_400_000, 19_800), ("NST3:30", 1_768_478_400_000, -12_600), ("UTC0", -1, 0),
  ])
  func `knows how far a zone is ahead`(zone: String, wall: Int64, seconds: Int) {
    with("TZ", zone) { #expect(HostClock().zoneOffset(atWallMilliseconds: wall) == seconds) }
  }

  @Test(.enabled(if: hasZones))
  func `takes a zone by name`() throws {
    try with("TZ", "UTC0") {
      try HostClock.useZone("Asia/Kolkata")
      #expect(HostClock().zoneOffset(atWallMilliseconds: 1_768_478_400_000) == 19_800)
    }
  }

  @Test(arguments: ["Europe/Atlantis", "../../../etc/passwd"])
  func `refuses what is no zone`(name: String) {
    #expect(throws: HostError.self) { try HostClock.useZone(name) }
  }

  @Test func `tells the service manager, in its protocol`() throws {
    let socket = try NotifySocket()
    with("NOTIFY_SOCKET", socket.name) {
      #expect(ServiceManager.notify(.ready, .watchdog))
      #expect(socket.receive() == "READY=1\nWATCHDOG=1")
      #expect(ServiceManager.notify(.watchdog))
      #expect(socket.receive() == "WATCHDOG=1")
      #expect(ServiceManager.notify(.reloading(monotonicMicroseconds: 5)))
      #expect(socket.receive() == "RELOADING=1\nMONOTONIC_USEC=5")
      #expect(ServiceManager.notify(.stopping))
      #expect(socket.receive() == "STOPPING=1")
    }
  }

  @Test func `without a service manager nothing is told`() {
    with("NOTIFY_SOCKET", nil) { #expect(!ServiceManager.notify(.ready)) }
  }

  @Test func `the watchdog is told twice as often as it asks`() {
    with("WATCHDOG_PID", "\(getpid())") {
      with("WATCHDOG_USEC", "10000000") { #expect(ServiceManager.watchdogInterval() == .seconds(5)) }
      with("WATCHDOG_USEC", nil) { #expect(ServiceManager.watchdogInterval() == nil) }
    }
    with("WATCHDOG_PID", "1") {
      with("WATCHDOG_USEC", "10000000") { #expect(ServiceManager.watchdogInterval() == nil) }
    }
  }

  @Test func `the width is what the environment says where no terminal is`() throws {
    try #require(!Terminal(.output).isInteractive, "runs with its output in a pipe")
    with("COLUMNS", "132") { #expect(Terminal(.output).width == 132) }
    with("COLUMNS", "no") { #expect(Terminal(.output).width == 80) }
    #expect(!Terminal(.output).hasColours)
  }

  private static let hasZones = unsafe access("/usr/share/zoneinfo/Asia/Kolkata", R_OK) == 0

  /// Runs something with a variable set, or not set, and puts it back.
  private func with<Failure: Error>(
    _ name: String, _ value: String?, _ body: () throws(Failure) -> Void
  ) throws(Failure) {
    let before = Environment[name]
    set(name, value)
    defer { set(name, before) }
    try body()
  }

  private func set(_ name: String, _ value: String?) {
    if let value { unsafe setenv(name, value, 1) } else { unsafe unsetenv(name) }
  }
}

/// A socket such as systemd gives to its services, in the abstract name space.
struct NotifySocket: ~Copyable {
  let name: String
  private let descriptor: Int32

  init() throws(HostError) {
    name = "@steps2mqtt-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = [0] + Array(name.utf8.dropFirst())
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    let size = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
    let status = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(descriptor, $0, size) }
    }
    guard status == 0 else { throw HostError(file: name, code: errno) }
  }

  deinit { close(descriptor) }

  /// What was told first and not yet read; empty when there is nothing.
  func receive() -> String {
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = unsafe recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
  }
}
