import Foundation
import Glibc
import Motion
import Testing

@testable import Sensors

/// A FIFO of a test.
private final class FIFO: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "sensors-\(UUID().uuidString)").path
    try #require(unsafe mkfifo(path, 0o600) == 0)
  }

  deinit { _ = unsafe unlink(path) }

  /// Comes, writes and goes, as `echo … > fifo` does.
  func write(_ text: String) throws {
    let writer = try FileDescriptor(opening: path, flags: O_WRONLY)
    try writer.write(Array(text.utf8))
  }
}

struct LinesSourceTests {
  private let clock = VirtualClock()

  private func source(_ path: String, silence: Duration = .seconds(60)) -> LinesSource<VirtualClock> {
    LinesSource(.init(path: path, lines: .init(silence: silence)), clock: clock, bootTime: { 5_000 })
  }

  private func lines(_ range: Range<Int>) -> String {
    range.map { "\(90_000 + $0 * 20),0,0,1\n" }.joined()
  }

  @Test func `reads a file to its end, dated from the boot time on`() async throws {
    let file = try TemporaryFile("t_ms,x,y,z\n" + lines(0..<100) + "oops\n" + lines(100..<200))
    let delivered = try await collect(source(file.path), on: clock)
    #expect(delivered.isEven(200, from: 5_000, rate: 50))
    #expect(clock.woke == [])
    #expect(delivered.events.count == 3)
    #expect(delivered.events.last == .ended)
    guard case .opened(let description) = delivered.events[0], case .faults(let faults) = delivered.events[1] else {
      Issue.record("unexpected: \(delivered.events)")
      return
    }
    #expect(description.kind == .lines && description.pace == .samples)
    #expect(faults.malformed.first.map(\.number) == [102])
  }

  @Test func `survives writers of a FIFO that come and go`() async throws {
    let fifo = try FIFO()
    let delivered = try await collect(source(fifo.path), on: clock, atMost: 30) { [self] event, delivered in
      switch (event, delivered.samples.count) {
      case (.opened, _): try fifo.write(lines(0..<10))
      case (.samples, 10): for part in ["half a li", "ne\n" + lines(10..<20)] { try fifo.write(part) }
      case (.samples, 20): for part in ["", "\n", lines(20..<30)] { try fifo.write(part) }
      default: break
      }
    }
    #expect(delivered.isEven(30, from: 5_000, rate: 50))
    #expect(delivered.events.count == 2)
    guard case .faults(let faults) = delivered.events.last else { return }
    #expect(faults.malformed.first == [.init(number: 11, text: "half a line")])
  }

  @Test func `gathers lines for 0.15 s, unless many come at once`() async throws {
    let fifo = try FIFO()
    let few = try await collect(source(fifo.path), on: clock, atMost: 30) { [self] event, delivered in
      if delivered.samples.count % 10 == 0 { try fifo.write(lines(0..<10)) }
    }
    #expect(few.samples.count == 30)
    #expect(clock.woke.count == 2)
    #expect(clock.woke == [0.15, 0.3])
    let many = try await collect(source(fifo.path), on: clock, atMost: 3_000) { [self] event, _ in
      if case .opened = event { try fifo.write(lines(0..<3_000)) }
    }
    #expect(many.samples.count == 3_000)
    #expect(clock.woke.count == 2)
  }

  @Test func `says when a sender fell silent, and when it is back`() async throws {
    let fifo = try FIFO()
    let delivered = try await collect(
      source(fifo.path, silence: .milliseconds(20)), on: clock, atMost: 5
    ) { [self] event, _ in
      if case .lost = event { try fifo.write(lines(0..<5)) }
    }
    let description = SensorDescription(kind: .lines, name: fifo.path, unit: .g)
    #expect(
      delivered.events == [
        .opened(description), .lost(SensorError(.silent, "\(fifo.path): no line for 0.02 seconds")),
        .found(description),
      ])
  }

  @Test func `ends with what it reads from`() async throws {
    let delivered = try await collect(source("/dev/null"), on: clock)
    #expect(delivered.events == [.opened(SensorDescription(kind: .lines, name: "/dev/null", unit: .g)), .ended])
  }

  @Test(.timeLimit(.minutes(1))) func `can be cancelled while it waits for a line`() async throws {
    let fifo = try FIFO()
    let (opened, tell) = AsyncStream.makeStream(of: Void.self)
    let source = source(fifo.path)
    let task = Task { try await source.run { _ in tell.yield() } }
    for await _ in opened { break }
    task.cancel()
    try await task.value
  }

  @Test func `says what to do about a path that is not there`() async {
    let error = await #expect(throws: SensorError.self) { try await collect(source("/nowhere/fifo"), on: clock) }
    #expect(error?.code == .notFound)
  }
}
