import BrokerTesting
import Foundation
import Glibc
import Motion
import Sensors
import Testing

/// Sources that stall, end, flood or cannot be had, through the built program.
///
/// Lines carry their time and are written faster than they were taken; a silence of five seconds is a loss.
@Suite struct SensorFaultTests {
  /// A walk that breaks off while its wearer walks on.
  private static func walk(_ seed: UInt64, cadence: Double = 1.9, rate: Double = 50) -> [AccelerometerSample] {
    Array(
      SyntheticWalk(.init(segments: [.standing(3), .walking(25, cadence: cadence)], seed: seed)).samples(rate: rate))
  }

  private static func lines(_ samples: some Sequence<AccelerometerSample>) -> [UInt8] {
    Array(samples.map { "\(($0.time * 1000).rounded()),\($0.x),\($0.y),\($0.z)\n" }.joined().utf8)
  }

  /// The steps that `analyze` counts in a walk.
  private func count(_ samples: [AccelerometerSample], in place: Workplace) async throws -> Int {
    let file = place.directory.appending(path: "walk-\(UUID().uuidString).csv")
    var writer = try RecordingWriter(path: file.path)
    try writer.write(samples)
    try writer.flush()
    return try await Product.count(file)
  }

  /// Writes all of it to a file that may be full for a while.
  private func write(_ bytes: [UInt8], to file: CInt) async throws {
    try await apart {
      var rest = bytes[...]
      while !rest.isEmpty {
        let portion = Array(rest.prefix(4096))
        let count = unsafe Glibc.write(file, portion, portion.count)
        guard count > 0 else { throw Missing(description: "a reader of the lines: error \(errno)") }
        rest = rest.dropFirst(count)
      }
    }
  }

  private func events(_ kind: String, _ subscriber: Subscriber) -> Int {
    subscriber.records(of: "walker").count { $0["event_type"].text == kind }
  }

  @Test func `a writer of a FIFO that stalls, leaves and comes back costs no step and makes none`() async throws {
    let place = try Workplace()
    let subscriber = try await place.subscriber()
    let path = place.directory.appending(path: "lines").path
    try #require(unsafe mkfifo(path, 0o600) == 0)
    let agent = try RunningAgent(
      journal: place.journal(), port: place.port, "tracking.start=always",
      more: ["sensor.source=lines", "sensor.lines.path=\(path)"])
    try await wait("the agent") { subscriber.state(of: "walker") }
    let walks = [Self.walk(11), Self.walk(12), Self.walk(13)]
    var counted = 0
    for (round, walk) in walks.enumerated() {
      // The first stays open while it says nothing, the others leave.
      let file = unsafe open(path, O_WRONLY | O_CLOEXEC)
      try #require(file >= 0)
      defer { close(file) }
      try await write(Self.lines(walk), to: file)
      if round > 0 { try await wait("that it is found") { events("sensor_found", subscriber) == round ? true : nil } }
      counted += try await count(walk, in: place)
      try await wait("the loss", seconds: 60) { events("sensor_lost", subscriber) == round + 1 ? true : nil }
      try await wait("its steps") { subscriber.steps(of: "walker") >= counted ? true : nil }
      #expect(subscriber.steps(of: "walker") == counted, "round \(round): what breaks off is counted, no more")
    }
    #expect(events("sensor_found", subscriber) == 2)
    #expect(try await agent.stop() == 0, "\(agent.logText)")
    #expect(subscriber.state(of: "walker")?["total_steps"].int == counted)
  }

  @Test func `a serial port that is unplugged and comes back under its name is read on`() async throws {
    let place = try Workplace()
    let subscriber = try await place.subscriber()
    let path = place.directory.appending(path: "port").path
    var port = try Terminal()
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: port.name)
    let agent = try RunningAgent(
      journal: place.journal(), port: place.port, "tracking.start=always",
      more: ["sensor.source=serial", "sensor.serial.path=\(path)"])
    try await wait("the port") {
      subscriber.messages("walker", "info").contains { $0.json["sensor"].isThere } ? true : nil
    }
    var counted = 0
    for round in 0..<2 {
      let walk = Self.walk(21 + UInt64(round))
      try await write(Self.lines(walk), to: port.file)
      counted += try await count(walk, in: place)
      // All but what is held back until the walk is known to be over.
      try await wait("steps of round \(round)", seconds: 60) {
        subscriber.steps(of: "walker") > counted - 8 ? true : nil
      }
      try FileManager.default.removeItem(atPath: path)
      port = try Terminal()
      try await wait("the loss", seconds: 60) { events("sensor_lost", subscriber) == round + 1 ? true : nil }
      try await wait("the rest") { subscriber.steps(of: "walker") >= counted ? true : nil }
      #expect(subscriber.steps(of: "walker") == counted)
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: port.name)
    }
    try await write(Self.lines(Self.walk(23)), to: port.file)
    try await wait("the port again", seconds: 90) { events("sensor_found", subscriber) == 2 ? true : nil }
    #expect(try await agent.stop() == 0, "\(agent.logText)")
  }

  /// A terminal whose other end a program can open by its name.
  private struct Terminal: ~Copyable {
    let file: CInt
    let name: String

    init() throws {
      file = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
      var (number, lock): (CInt, CInt) = (0, 0)
      // TIOCSPTLCK and TIOCGPTN, whose macros Swift does not read.
      let results = unsafe (ioctl(file, 0x4004_5431, &lock), ioctl(file, 0x8004_5430, &number))
      guard file >= 0, results == (0, 0) else { throw Missing(description: "a terminal") }
      name = "/dev/pts/\(number)"
    }

    deinit { close(file) }
  }

  /// How many bytes of datagrams wait at a port, as the system says it.
  private func queued(at port: UInt16) async throws -> Int? {
    let place = ":" + String(port, radix: 16, uppercase: true)
    // Foundation takes the first page of a long table for all of it.
    let table = try await run("cat", ["/proc/net/udp"])
    // sl, local address, remote address, state, what waits to go : what waits to be read
    let fields = table.split(separator: "\n").map { $0.split(separator: " ") }.first {
      $0.count > 4 && $0[1].hasSuffix(place)
    }
    return fields.flatMap { Int($0[4].suffix(8), radix: 16) }
  }

  /// How a sender sends ten times what it should.
  enum Flood: CaseIterable, Sendable {
    /// Ten samples where there should be one.
    case dense
    /// Each sample ten times.
    case repeated
  }

  @Test(arguments: Flood.allCases)
  func `a sender of ten times what it should adds no step`(flood: Flood) async throws {
    let place = try Workplace()
    let subscriber = try await place.subscriber()
    let port = try TestBroker.freePort()
    let agent = try RunningAgent(
      journal: place.journal(), port: place.port, "tracking.start=always",
      more: ["sensor.source=udp", "sensor.udp.port=\(port)"])
    try await wait("the sensor") {
      subscriber.messages("walker", "info").contains { $0.json["sensor"].isThere } ? true : nil
    }
    let socket = Glibc.socket(AF_INET, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(socket) }
    let connected = unsafe loopback(port) { unsafe connect(socket, $0, $1) }
    try #require(connected == 0)
    let walk = Self.walk(31)
    let sent = flood == .dense ? Self.walk(31, rate: 500) : walk
    let portion = flood == .dense ? 50 : 5
    for start in stride(from: 0, to: sent.count, by: portion) {
      let bytes = Self.lines(sent[start..<min(start + portion, sent.count)])
      for _ in 0..<(flood == .dense ? 1 : 10) {
        try #require(unsafe send(socket, bytes, bytes.count, 0) == bytes.count)
      }
      // Not faster than the agent reads: what a full socket drops is another fault.
      if start / portion % 20 == 0 {
        try await wait("room in the socket") {
          guard let queued = try await queued(at: port) else {
            throw Missing(description: "nobody reads: \(agent.logText)")
          }
          return queued == 0 ? true : nil
        }
      }
    }
    let counted = try await count(walk, in: place)
    try await wait("the end of it", seconds: 60) { events("sensor_lost", subscriber) == 1 ? true : nil }
    try await wait("the steps") { subscriber.steps(of: "walker") >= counted - 1 ? true : nil }
    #expect(abs(subscriber.steps(of: "walker") - counted) <= 1, "\(agent.logText)")
    #expect(try await agent.stop() == 0)
  }

  @Test func `a source that cannot be had is told once, tried ever more seldom, and taken when it is there`()
    async throws
  {
    let place = try Workplace()
    let subscriber = try await place.subscriber()
    let path = place.directory.appending(path: "later").path
    let agent = try RunningAgent(
      journal: place.journal(), port: place.port, "tracking.start=always",
      more: ["sensor.source=lines", "sensor.lines.path=\(path)"])
    try await wait("the loss") { events("sensor_lost", subscriber) == 1 ? true : nil }
    let state = try await wait("the state") {
      subscriber.state(of: "walker").flatMap { $0["sensor"].text == "absent" ? $0 : nil }
    }
    #expect(state["started"].bool)
    try #require(unsafe mkfifo(path, 0o600) == 0)
    let file = unsafe open(path, O_RDWR | O_CLOEXEC)
    defer { close(file) }
    let walk = Self.walk(41)
    try await write(Self.lines(walk), to: file)
    try await wait("that it is found", seconds: 60) { events("sensor_found", subscriber) == 1 ? true : nil }
    let counted = try await count(walk, in: place)
    try await wait("the steps", seconds: 60) { subscriber.steps(of: "walker") >= counted ? true : nil }
    #expect(subscriber.steps(of: "walker") == counted)
    #expect(try await agent.stop() == 0, "\(agent.logText)")
  }
}
