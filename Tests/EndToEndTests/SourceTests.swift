import BrokerTesting
import Foundation
import Glibc
import Motion
import Sensors
import Testing

/// Recordings through the ways that samples come while time goes by: the lines carry their time, so that they may come
/// faster than they were taken.
@Suite(.serialized) struct SourceTests {
  /// A walk of six minutes, more than five hundred steps, with pauses.
  private static let samples = Array(
    SyntheticWalk(
      .init(segments: [
        .standing(2), .walking(150), .standing(6), .walking(60), .standing(10), .walking(120), .standing(4),
      ])
    ).samples(rate: 50))

  /// The lines `t_ms,x,y,z` of a second each.
  private static func portions(of unit: Float) -> [String] {
    stride(from: 0, to: samples.count, by: 50).map { start in
      samples[start..<min(start + 50, samples.count)].map { sample in
        "\((sample.time * 1000).rounded()),\(sample.x * unit),\(sample.y * unit),\(sample.z * unit)\n"
      }.joined()
    }
  }

  /// The steps that `analyze` counts in the walk.
  private func counted(in place: Workplace) async throws -> Int {
    let file = place.directory.appending(path: "long.csv")
    var writer = try RecordingWriter(path: file.path)
    try writer.write(Self.samples)
    try writer.flush()
    return try await Product.count(file)
  }

  /// Feeds an agent portion by portion once it has opened its sensor, and compares what a subscriber gets.
  private func compare(
    _ place: Workplace, _ settings: [String], unit: Float = 1, feed: (String) async throws -> Void
  ) async throws {
    let counted = try await counted(in: place)
    #expect(counted >= 500)
    let subscriber = try await place.subscriber()
    let agent = try RunningAgent(
      journal: place.journal(), port: place.port, "tracking.start=always", more: settings)
    try await wait("the sensor") {
      subscriber.messages("walker", "info").contains { $0.json["sensor"].isThere } ? true : nil
    }
    for portion in Self.portions(of: unit) {
      try await feed(portion)
      try await Task.sleep(for: .milliseconds(10))  // a socket has not room for all of it at once
    }
    let most = counted / 100
    try await wait("all steps, of \(counted)", seconds: 120) {
      subscriber.steps(of: "walker") >= counted - most ? true : nil
    }
    #expect(try await agent.stop() == 0)
    #expect(abs(subscriber.steps(of: "walker") - counted) <= most, "\(agent.logText)")
    #expect(!agent.logText.contains("sensor lost"))
  }

  @Test func `a walk in datagrams counts as it does in a file`() async throws {
    let place = try Workplace()
    let port = try TestBroker.freePort()
    let socket = Glibc.socket(AF_INET, CInt(SOCK_DGRAM.rawValue), 0)
    defer { close(socket) }
    let connected = unsafe loopback(port) { unsafe connect(socket, $0, $1) }
    try #require(connected == 0)
    try await compare(
      place, ["sensor.source=udp", "sensor.udp.port=\(port)", "sensor.unit=m/s2"], unit: 9.80665
    ) { portion in
      let bytes = Array(portion.utf8)
      try #require(unsafe send(socket, bytes, bytes.count, 0) == bytes.count)
    }
  }

  @Test func `a walk at a serial port counts as it does in a file`() async throws {
    let place = try Workplace()
    let file = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    defer { close(file) }
    var (number, lock): (CInt, CInt) = (0, 0)
    // TIOCSPTLCK and TIOCGPTN, whose macros Swift does not read.
    let results = unsafe (ioctl(file, 0x4004_5431, &lock), ioctl(file, 0x8004_5430, &number))
    try #require(file >= 0 && results == (0, 0))
    try await compare(place, ["sensor.source=serial", "sensor.serial.path=/dev/pts/\(number)"]) { portion in
      var rest = Array(portion.utf8)[...]
      while !rest.isEmpty {
        let bytes = Array(rest)
        let count = unsafe write(file, bytes, bytes.count)
        try #require(count > 0)
        rest = rest.dropFirst(count)
      }
    }
  }

  @Test func `a walk in messages counts as it does in a file`() async throws {
    let place = try Workplace()
    // Some twenty seconds in a message: mosquitto_pub is a process each.
    var gathered = ""
    let last = Self.portions(of: 1).last
    try await compare(
      place, ["sensor.source=mqtt", "sensor.mqtt.topic=phones/+/accel"]
    ) { portion in
      gathered += portion
      guard gathered.utf8.count > 50_000 || portion == last else { return }
      try await publish("phones/anna/accel", gathered, port: place.port)
      gathered = ""
    }
  }
}

@Suite(.serialized) struct ManyDevicesTests {
  @Test func `two phones are two devices, which are there again after a restart`() async throws {
    let place = try Workplace()
    let subscriber = try await place.subscriber()
    let walk = Array(SyntheticWalk(.init(segments: [.standing(1), .walking(12), .standing(2)])).samples(rate: 50))
    let lines = walk.map { "\(($0.time * 1000).rounded()),\($0.x),\($0.y),\($0.z)\n" }.joined()
    let batch =
      walk.map { sample in
        let time = 1_698_501_144_000_000_000 + Int(sample.time * 1e9)
        let (x, y, z) = (sample.x * 9.80665, sample.y * 9.80665, sample.z * 9.80665)
        return #"{"name":"totalacceleration","time":\#(time),"values":{"x":\#(x),"y":\#(y),"z":\#(z)}}"#
      }.joined(separator: ",")
    let settings = [
      "sensor.source=mqtt", "sensor.mqtt.topic=phones/+/accel", "sensor.mqtt.device=phone-{1}",
      "sensor.mqtt.most_devices=2",
    ]
    var agent: RunningAgent? = try RunningAgent(
      journal: place.journal(), port: place.port, "tracking.start=always", more: settings)
    /// The first message makes the device; what comes before it listens is lost, as it is at QoS 0.
    func begin(_ name: String) async throws {
      try await wait("the device \(name)") {
        try await publish("phones/\(name)/accel", "# here", port: place.port)
        return subscriber.messages("phone-\(name)", "info").contains { $0.json["sensor"].isThere } ? true : nil
      }
    }
    try await begin("anna")
    try await begin("bob")
    try await publish("phones/eve/accel", "# a third is too many", port: place.port)
    try await publish("phones/anna/accel", lines, port: place.port)
    let file = place.directory.appending(path: "batch")
    try Data(#"{"messageId":1,"sessionId":"s","deviceId":"d","payload":[\#(batch)]}"#.utf8).write(to: file)
    try await publish("phones/bob/accel", file: file, port: place.port)
    for device in ["phone-anna", "phone-bob"] {
      try await wait("the steps of \(device)", seconds: 120) { subscriber.steps(of: device) > 15 ? true : nil }
    }
    #expect(abs(subscriber.steps(of: "phone-anna") - subscriber.steps(of: "phone-bob")) <= 1)
    #expect(subscriber.messages("phone-eve", "info").isEmpty)
    #expect(try await agent?.stop() == 0)
    for device in ["phone-anna", "phone-bob"] {
      #expect(subscriber.messages(device, "availability").last?.payload == "offline")
    }

    agent = try RunningAgent(journal: place.journal(), port: place.port, "tracking.start=always", more: settings)
    let before = subscriber.steps(of: "phone-bob")
    try await wait("both devices again") {
      ["phone-anna", "phone-bob"].allSatisfy {
        subscriber.messages($0, "availability").last?.payload == "online"
      } ? true : nil
    }
    try await wait("what was counted before") {
      subscriber.state(of: "phone-bob")?["total_steps"].int == before ? true : nil
    }
    #expect(try await agent?.stop() == 0)
  }
}
