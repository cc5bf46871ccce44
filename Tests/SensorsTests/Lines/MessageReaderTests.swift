import Motion
import Testing

@testable import Sensors

struct MessageReaderTests {
  private static let description = SensorDescription(kind: .mqtt, name: "phones/anna")

  private func reader(unit: AccelerationUnit = .g) -> MessageReader {
    MessageReader(Self.description, lines: .init(unit: unit), now: 1_000)
  }

  private func samples(_ events: [SensorEvent]) -> [AccelerometerSample] {
    events.flatMap { if case .samples(let samples) = $0 { samples } else { [] as [AccelerometerSample] } }
  }

  /// A batch of one second, as the app sends it.
  private func batch(
    _ message: Int, session: String = "s", device: String = "d", _ readings: [(String, Double)], rate: Int = 10
  ) -> [UInt8] {
    let start = 1_698_501_144_401_773_000 + message * 1_000_000_000
    let payload = (0..<rate).flatMap { index in
      readings.map { name, z in
        #"{"name":"\#(name)","time":\#(start + index * 1_000_000_000 / rate),"accuracy":3,"#
          + #""values":{"x":0,"y":0,"z":\#(z)}}"#
      }
    }
    let others = #"{"name":"location","time":\#(start),"values":{"latitude":52.5}},{"name":"camera","image":"…"}"#
    return Array(
      #"{"messageId":\#(message),"sessionId":"\#(session)","deviceId":"\#(device)","payload":[\#(others),"#.utf8)
      + Array((payload.joined(separator: ",") + "]}").utf8)
  }

  @Test func `takes lines, one or more in a message`() {
    var reader = reader(unit: .mg)
    var taken = samples(reader.take(Array("0,0,0,1000".utf8), from: "t", now: 1_000))
    taken += samples(reader.take(Array("20,0,0,1000\n40,0,0,1000\n".utf8), from: "t", now: 1_000.04))
    #expect(taken.map(\.z) == [1, 1, 1])
    #expect(taken.map { ($0.time * 1000).rounded() } == [1_000_000, 1_000_020, 1_000_040])
  }

  @Test(
    arguments: [
      (["totalacceleration": 9.80665], 1), (["TotalAcceleration": 9.80665, "accelerometer": 0], 1),
      (["accelerometer": 0.980665, "gravity": -9.80665], -0.9), (["accelerometer": 0.980665], 0.1),
      (["accelerometeruncalibrated": -1], -1), (["accelerometeruncalibrated": 9.80665], 1),
    ] as [([String: Double], Float)])
  func `makes g of a batch, with gravity where it is sent`(readings: [String: Double], z: Float) {
    var reader = reader()
    let taken = samples(reader.take(batch(0, readings.map { ($0.key, $0.value) }), from: "t", now: 1_000))
    #expect(taken.count == 10)
    #expect(taken.allSatisfy { abs($0.z - z) < 1e-5 })
    #expect(abs(taken[9].time - 1_000) < 1e-3 && abs(taken[0].time - 999.1) < 1e-3, "the last was taken now")
  }

  @Test func `keeps the intervals over batches, and passes over what came before`() {
    var reader = reader()
    let total = [("totalacceleration", 9.8)]
    var taken = samples(reader.take(batch(0, total), from: "t", now: 1_000))
    taken += samples(reader.take(batch(1, total), from: "t", now: 1_001.3))
    let again = reader.take(batch(0, total), from: "t", now: 1_001.4)
    #expect(samples(again) == [])
    guard case .faults(let faults) = again.first else {
      Issue.record("no faults: \(again)")
      return
    }
    #expect(faults.failed == 1)
    taken += samples(reader.take(batch(0, session: "another", total), from: "t", now: 1_005))
    #expect(taken.count == 30)
    let intervals = zip(taken, taken.dropFirst()).map { $1.time - $0.time }
    #expect(intervals[..<19].allSatisfy { abs($0 - 0.1) < 1e-3 })
    #expect(intervals.allSatisfy { $0 > 0 })
  }

  @Test(arguments: ["{", "{}", #"{"payload":3}"#, "1;2;3;4", #"{"payload":[{"name":3}]}"#, "1,2"])
  func `counts what is neither`(payload: String) {
    var reader = reader()
    let events = reader.take(Array(payload.utf8), from: "t", now: 1_000)
    guard case .faults(let faults) = events.first else {
      Issue.record("no faults: \(events)")
      return
    }
    #expect(faults.malformed.count == 1 && events.count == 1)
  }

  @Test func `hears one device until it is silent`() {
    var reader = reader()
    let total = [("totalacceleration", 9.8)]
    #expect(samples(reader.take(batch(0, device: "a", total), from: "t", now: 1_000)).count == 10)
    guard case .warning(let text) = reader.take(batch(0, device: "b", total), from: "t", now: 1_001).first else {
      Issue.record("no warning")
      return
    }
    #expect(text.contains("messages of t (b) are left out while t (a) sends"))
    #expect(reader.tick(now: 1_004) == [])
    #expect(reader.tick(now: 1_006) == [.lost(SensorError(.silent, "phones/anna: no sample for 5.0 seconds"))])
    let events = reader.take(batch(1, device: "b", total), from: "t", now: 1_007)
    #expect(events.first == .found(Self.description))
    #expect(samples(events).count == 10)
  }

  @Test func `is not kept from hearing by who sends no samples`() {
    var reader = reader()
    #expect(reader.take(Array("# here".utf8), from: "t", now: 1_000) == [])
    #expect(samples(reader.take(batch(0, [("totalacceleration", 9.8)]), from: "t", now: 1_000)).count == 10)
  }

  @Test func `says once that the way is interrupted`() {
    var reader = reader()
    #expect(reader.lose("no broker") == [.lost(SensorError(.inputOutput, "no broker"))])
    #expect(reader.lose("no broker") == [])
    #expect(reader.lose("no rights") == [.lost(SensorError(.inputOutput, "no rights"))])
    #expect(reader.tick(now: 1_009) == [], "that is why it is silent")
    #expect(reader.take(Array("0,0,0,1".utf8), from: "t", now: 1_010).first == .found(Self.description))
  }

  @Test func `says why the way is interrupted also where it was silent before`() {
    var reader = reader()
    #expect(reader.tick(now: 1_006).count == 1)
    #expect(reader.lose("no broker").count == 1)
  }

  @Test func `hands on the pressures of lines, and keeps none`() {
    var reader = reader()
    for number in 0..<3 {
      let time = number * 20
      let events = reader.take(
        Array("\(time),0,0,1,1013.2\n\(time + 10),0,0,1\n".utf8), from: "t", now: 1_000 + Double(time) / 1000)
      guard case .pressures(let pressures) = events.last else {
        Issue.record("no pressures: \(events)")
        return
      }
      #expect(pressures.map(\.pressure) == [101_320])
      #expect(pressures.first?.time == samples(events).first?.time)
    }
  }

  @Test func `hears an app that counts its messages from the beginning again`() {
    var reader = reader()
    let total = [("totalacceleration", 9.8)]
    #expect(samples(reader.take(batch(5_000, total), from: "t", now: 1_000)).count == 10)
    #expect(samples(reader.take(batch(4_990, total), from: "t", now: 1_001)).isEmpty, "it came again")
    #expect(samples(reader.take(batch(0, total), from: "t", now: 1_002)).count == 10)
    #expect(samples(reader.take(batch(1, total), from: "t", now: 1_003)).count == 10)
  }

  @Test(arguments: ["-9223372036854775808", "9223372036854775807"])
  func `outlives every number that a message may have`(number: String) {
    var reader = reader()
    for message in [number, "0", number, "1"] {
      let payload = #"{"messageId":\#(message),"payload":[{"name":"totalacceleration","time":1,"x":0,"y":0,"z":9.8}]}"#
      _ = reader.take(Array(payload.utf8), from: "t", now: 1_000)
    }
    #expect(samples(reader.take(Array("0,0,0,1".utf8), from: "t", now: 1_001)).count == 1)
  }

  @Test(arguments: [#""soon""#, "1e300", #""nan""#, "null"])
  func `counts a batch whose times are none`(time: String) {
    var reader = reader()
    let payload = #"{"payload":[{"name":"totalacceleration","time":\#(time),"values":{"x":0,"y":0,"z":9.8}}]}"#
    let events = reader.take(Array(payload.utf8), from: "t", now: 1_000)
    guard case .faults(let faults) = events.first else {
      Issue.record("no faults: \(events)")
      return
    }
    #expect(faults.malformed.count == 1 && events.count == 1)
  }

  @Test func `counts the samples of messages that were lost`() {
    var reader = reader()
    var missing = 0
    for number in 0..<20 where number != 12 {
      let lines = (0..<10).map { "\(number * 200 + $0 * 20),0,0,1\n" }.joined()
      for case .faults(let faults) in reader.take(Array(lines.utf8), from: "t", now: 1_000 + Double(number) / 5) {
        missing = faults.missing
      }
    }
    #expect(missing == 10)
  }

  @Test func `takes a second of all sensors of motion at 200 Hz, and leaves out what is larger still`() {
    var reader = reader()
    let names = [
      "accelerometer", "gravity", "totalacceleration", "accelerometeruncalibrated", "gyroscope", "orientation",
    ]
    let second = batch(0, names.map { ($0, -9.806650161743164) }, rate: 200)
    // The test's x and y are a digit each, an app's have up to twenty.
    #expect(second.count + 2 * 19 * names.count * 200 <= MessageReader.largest, "\(second.count)")
    #expect(samples(reader.take(second, from: "t", now: 1_000)).count == 200)

    let lines = Array(String(repeating: "0,0,1\n", count: MessageReader.largest / 6).utf8)
    #expect(samples(reader.take(lines, from: "t2", now: 1_100)).count == lines.count / 6)
    let events = reader.take(lines + lines, from: "t2", now: 1_101)
    #expect(samples(events).isEmpty)
    #expect(events.contains { if case .faults(let faults) = $0 { faults.malformed.count == 1 } else { false } })
  }

  @Test func `knows the device of a batch`() {
    #expect(MessageReader.device(in: batch(0, device: "a", [])) == "a")
    #expect(MessageReader.device(in: Array("0,0,0,1".utf8)) == nil)
  }
}
