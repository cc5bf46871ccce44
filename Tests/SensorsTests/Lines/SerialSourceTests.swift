import Glibc
import Motion
import Synchronization
import Testing

@testable import Sensors

/// A port without a wire: what is written here comes out of the port at a path.
private final class PseudoPort: Sendable {
  private let file: Mutex<CInt>
  let path: String

  init() throws {
    let file = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (number, lock): (CInt, CInt) = (0, 0)
    try #require(file >= 0)
    // TIOCSPTLCK and TIOCGPTN, whose macros Swift does not read.
    let results = unsafe (ioctl(file, 0x4004_5431, &lock), ioctl(file, 0x8004_5430, &number))
    try #require(results == (0, 0))
    self.file = Mutex(file)
    path = "/dev/pts/\(number)"
  }

  deinit { unplug() }

  func write(_ text: String) throws {
    let bytes = Array(text.utf8)
    let file = file.withLock { $0 }
    try #require(unsafe Glibc.write(file, bytes, bytes.count) == bytes.count)
  }

  /// Pulls the plug: reading fails with EIO.
  func unplug() {
    file.withLock { file in
      if file >= 0 { close(file) }
      file = -1
    }
  }
}

struct SerialSourceTests {
  private let clock = VirtualClock()

  private func source(_ path: String) -> SerialSource<VirtualClock> {
    SerialSource(
      .init(path: path, baud: 115_200, lines: .init(unit: .mg, silence: .seconds(60))), clock: clock,
      bootTime: { 5_000 })
  }

  private func lines(_ range: Range<Int>) -> String { range.map { "\(90_000 + $0 * 20),0,0,1000\n" }.joined() }

  @Test func `reads a port, and leaves out the line that may have been begun before`() async throws {
    let port = try PseudoPort()
    let delivered = try await collect(source(port.path), on: clock, atMost: 50) { [self] event, _ in
      if case .opened = event { try port.write("00,0,0,1000\r\n" + lines(0..<50)) }
    }
    #expect(delivered.isEven(50, from: 5_000, rate: 50))
    #expect(delivered.samples.allSatisfy { $0.z == 1 })
    #expect(delivered.events.count == 1)
  }

  @Test func `loses a port that is unplugged, and finds it again`() async throws {
    // A path that leads to whatever is plugged in, as one in /dev/serial/by-id does.
    let link = TemporaryFile()
    let ports = Mutex(try [PseudoPort(), PseudoPort()])
    let paths = ports.withLock { $0.map(\.path) }
    try #require(unsafe symlink(paths[0], link.path) == 0)
    let path = link.path
    let delivered = try await collect(source(path), on: clock, atMost: 20) { [self] event, delivered in
      switch event {
      case .opened: try ports.withLock { try $0[0].write("\n" + lines(0..<10)) }
      case .samples where delivered.samples.count == 10:
        ports.withLock { $0[0].unplug() }
      case .lost:
        _ = unsafe unlink(path)
        try #require(unsafe symlink(paths[1], path) == 0)
        try ports.withLock { try $0[1].write("\n" + lines(0..<10)) }
      default: break
      }
    }
    let description = SensorDescription(kind: .serial, name: "\(path) at 115200 baud", unit: .mg)
    #expect(delivered.events.count == 3)
    #expect(delivered.events.first == .opened(description))
    #expect(delivered.events.last == .found(description))
    guard case .lost(let error) = delivered.events[1] else { return }
    #expect(error.code == .notFound)
    #expect(clock.woke.count >= 2)
  }

  @Test func `is lost where what comes are no samples, as at a wrong speed, and found with the first one`() async throws
  {
    let port = try PseudoPort()
    let delivered = try await collect(source(port.path), on: clock, atMost: 5) { [self] event, delivered in
      switch event {
      case .opened: try port.write("\n\u{1}~~\n")
      case .faults where delivered.events.count < 1_000:
        clock.advance(by: .seconds(20))
        try port.write("\u{1}~~\n")
      case .lost(let error):
        #expect(error.message.contains("is sensor.serial.baud right?"))
        #expect(delivered.events.count < 20)
        try port.write(lines(0..<5))
      default: break
      }
    }
    #expect(delivered.samples.count == 5)
    #expect(delivered.events.count { if case .lost = $0 { true } else { false } } == 1)
  }

  @Test func `waits for a port that is not there`() async throws {
    let link = TemporaryFile()
    let path = link.path
    let port = try PseudoPort()
    let delivered = try await collect(source(path), on: clock, atMost: 5) { [self] event, _ in
      guard case .lost(let error) = event else { return }
      #expect(error.message.contains("ls /dev/serial/by-id"))
      try #require(unsafe symlink(port.path, path) == 0)
      try port.write("\n" + lines(0..<5))
    }
    #expect(delivered.samples.count == 5)
  }

  @Test func `refuses what is no port, and a speed that no port has`() async throws {
    let notAPort = await #expect(throws: SensorError.self) { try await collect(source("/dev/null"), on: clock) }
    #expect(notAPort?.code == .invalid)
    let port = try PseudoPort()
    let path = port.path
    let tooFast = await #expect(throws: SensorError.self) {
      try await collect(SerialSource(.init(path: path, baud: 12_345), clock: clock, bootTime: { 0 }), on: clock)
    }
    #expect(tooFast?.message.contains("set sensor.serial.baud") == true)
  }
}
