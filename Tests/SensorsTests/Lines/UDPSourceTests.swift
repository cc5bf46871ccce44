import BrokerTesting
import Glibc
import Motion
import Synchronization
import Testing

@testable import Sensors

/// Who sends datagrams to a port of the loopback.
private final class Sender: Sendable {
  private let socket: CInt

  init(to port: UInt16) throws {
    socket = Glibc.socket(AF_INET, CInt(SOCK_DGRAM.rawValue), 0)
    let connected = unsafe loopback(port) { unsafe connect(socket, $0, $1) }
    try #require(connected == 0)
  }

  deinit { close(socket) }

  func send(_ text: String) throws {
    let bytes = Array(text.utf8)
    try #require(unsafe Glibc.send(socket, bytes, bytes.count, 0) == bytes.count)
  }
}

/// Makes a sender once the source says where it listens.
private final class Senders: Sendable {
  private let senders = Mutex<[Sender]>([])

  func make(_ count: Int, for event: SensorEvent) throws {
    guard case .opened(let description) = event else { return }
    let port = try #require(description.name.split(separator: ":").last.flatMap { UInt16($0) })
    let made = try (0..<count).map { _ in try Sender(to: port) }
    senders.withLock { $0 = made }
  }

  subscript(index: Int) -> Sender { senders.withLock { $0[index] } }
}

struct UDPSourceTests {
  private let clock = VirtualClock()
  private let senders = Senders()

  private func source(silence: Duration = .seconds(60)) -> UDPSource<VirtualClock> {
    UDPSource(
      .init(port: 0, lines: .init(silence: silence)), clock: clock, bootTime: { [clock] in 5_000 + clock.seconds })
  }

  private func lines(_ range: Range<Int>) -> [String] { range.map { "\(90_000 + $0 * 20),0,0,1\n" } }

  @Test func `takes datagrams of one and of more lines, the last with or without its end`() async throws {
    let delivered = try await collect(source(), on: clock, atMost: 20) { [self] event, _ in
      guard case .opened = event else { return }
      try senders.make(1, for: event)
      for line in lines(0..<10) { try senders[0].send(line) }
      try senders[0].send(String(lines(10..<20).joined().dropLast()))
    }
    #expect(delivered.isEven(20, from: 5_000, rate: 50))
  }

  @Test func `puts datagrams in order, and counts what is no line`() async throws {
    let delivered = try await collect(source(), on: clock, atMost: 20) { [self] event, _ in
      guard case .opened = event else { return }
      try senders.make(1, for: event)
      var all = lines(0..<20)
      all.swapAt(3, 4)
      all.swapAt(10, 14)
      for text in [all[0..<4].joined(), "oops", "", all[4..<12].joined(), all[12..<20].joined()] {
        try senders[0].send(text)
      }
    }
    #expect(delivered.isEven(20, from: 5_000, rate: 50))
    guard case .faults(let faults) = delivered.events.last else {
      Issue.record("no faults: \(delivered.events)")
      return
    }
    #expect(faults.malformed.first == [.init(number: 5, text: "oops")])
  }

  @Test func `leaves a hole where a datagram was lost`() async throws {
    let delivered = try await collect(source(), on: clock, atMost: 15) { [self] event, _ in
      guard case .opened = event else { return }
      try senders.make(1, for: event)
      for range in [0..<5, 10..<20] { try senders[0].send(lines(range).joined()) }
    }
    let times = delivered.times
    #expect(abs(times[5] - times[4] - 0.12) < 1e-9 && abs(times[14] - times[0] - 0.38) < 1e-9)
  }

  @Test func `hears one sender until it is silent`() async throws {
    let delivered = try await collect(source(silence: .milliseconds(100)), on: clock, atMost: 12) {
      [self] event, delivered in
      switch event {
      case .opened:
        try senders.make(2, for: event)
        try senders[0].send(lines(0..<5).joined())
        try senders[1].send("0,0,1\n")
        try senders[0].send(lines(5..<10).joined())
      case .lost:
        clock.advance(by: .seconds(10))
        try senders[1].send("0,0,1\n0,0,1\n")
      default: break
      }
    }
    #expect(delivered.times.count == 12)
    #expect(delivered.times[11] > delivered.times[9] + 1)
    let warnings = delivered.events.compactMap { event in
      if case .warning(let text) = event { text } else { nil as String? }
    }
    #expect(warnings.count == 1 && warnings[0].contains("are left out while"))
  }

  @Test func `says of some whom it leaves out, not of all`() async throws {
    let delivered = try await collect(source(), on: clock, atMost: 25) { [self] event, delivered in
      switch event {
      case .opened:
        try senders.make(30, for: event)
        try senders[0].send(lines(0..<1).joined())
      case .samples:
        // Each is another one, as a program that opens a socket for each datagram.
        let turn = delivered.chunks.count
        try senders[turn].send("0,0,1\n")
        try senders[0].send(lines(turn..<turn + 1).joined())
      default: break
      }
    }
    let warnings = delivered.events.count { if case .warning = $0 { true } else { false } }
    #expect(warnings == 8)
  }

  @Test func `says what to do about an address that it cannot have`() async throws {
    let taken = try DatagramSocket(address: "127.0.0.1", port: 0)
    let port = try #require(taken.boundName().split(separator: ":").last.flatMap { UInt16($0) })
    for (address, port, code) in [
      ("127.0.0.1", port, .busy), ("192.0.2.1", 5005, .notFound), ("localhost", 5005, .invalid),
    ] as [(String, UInt16, SensorError.Code)] {
      let error = await #expect(throws: SensorError.self) {
        try await collect(UDPSource(.init(address: address, port: port), clock: clock, bootTime: { 0 }), on: clock)
      }
      #expect(error?.code == code, "\(error?.message ?? "")")
    }
  }
}
