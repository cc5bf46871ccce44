import Foundation
import Motion
import Testing

@testable import Sensors

struct AxisFrameTests {
  /// Events as the kernel writes them on a machine of 64 bits: seconds, microseconds, type, code, value.
  private func events(_ bytes: [UInt8]) -> [(input: AxisFrame.Input, time: Double)] {
    stride(from: 0, to: bytes.count, by: 24).map { start in
      func number(_ offset: Int, _ size: Int) -> Int64 {
        (0..<size).reduce(0) { $0 | Int64(bytes[start + offset + $1]) << Int64(8 * $1) }
      }
      return (
        AxisFrame.Input(
          type: UInt16(number(16, 2)), code: UInt16(number(18, 2)),
          value: Int32(truncatingIfNeeded: number(20, 4))),
        Double(number(0, 8)) + Double(number(8, 8)) / 1e6
      )
    }
  }

  /// X 2048, Z −4096, the end of the report; then Y alone and its report, 20 ms later.
  private let recorded: [UInt8] = [
    10, 0, 0, 0, 0, 0, 0, 0, 0x20, 0xA1, 7, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0x00, 0x08, 0, 0,
    10, 0, 0, 0, 0, 0, 0, 0, 0x20, 0xA1, 7, 0, 0, 0, 0, 0, 3, 0, 2, 0, 0x00, 0xF0, 0xFF, 0xFF,
    10, 0, 0, 0, 0, 0, 0, 0, 0x20, 0xA1, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    10, 0, 0, 0, 0, 0, 0, 0, 0x40, 0xEF, 7, 0, 0, 0, 0, 0, 3, 0, 1, 0, 0x00, 0x04, 0, 0,
    10, 0, 0, 0, 0, 0, 0, 0, 0x40, 0xEF, 7, 0, 0, 0, 0, 0, 4, 0, 5, 0, 1, 0, 0, 0,
    10, 0, 0, 0, 0, 0, 0, 0, 0x40, 0xEF, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  ]

  @Test func `makes a sample of each report, by the resolution, and keeps what did not change`() {
    let axis = AxisFrame.Axis(resolution: 4096, value: 0)
    var frame = AxisFrame(x: axis, y: axis, z: AxisFrame.Axis(resolution: 8192, value: 0))
    let samples = events(recorded).compactMap { frame.take($0.input, at: $0.time) }
    #expect(samples == [sample(10.5, 0.5, 0, -0.5), sample(10.52, 0.5, 0.25, -0.5)])
  }
}

struct InputDevicesTests {
  @Test(arguments: [
    ("40", true), ("0", false), ("3f", false), ("1 40", true), ("40 0", false), ("", false), ("x", false),
  ])
  func `knows an accelerometer by its properties`(properties: String, isOne: Bool) {
    #expect(InputDevices.isAccelerometer(properties) == isOne)
  }

  /// The kernel's list, made of files.
  private func list(_ devices: [(number: Int, name: String, properties: String)]) throws -> InputDevices {
    let root = FileManager.default.temporaryDirectory.appending(path: "sensors-\(UUID().uuidString)")
    for device in devices {
      let directory = root.appending(path: "event\(device.number)/device")
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      try Data("\(device.name)\n".utf8).write(to: directory.appending(path: "name"))
      try Data("\(device.properties)\n".utf8).write(to: directory.appending(path: "properties"))
    }
    return InputDevices(list: root.path, files: "/dev/input")
  }

  @Test func `finds accelerometers by name or path, else the first`() throws {
    let devices = try list([(10, "IMU B", "40"), (0, "Keyboard", "0"), (9, "IMU A", "40")])
    defer { try? FileManager.default.removeItem(atPath: devices.list) }
    #expect(devices.accelerometers.map(\.path) == ["/dev/input/event9", "/dev/input/event10"])
    #expect(try devices.accelerometer(named: "").name == "IMU A")
    #expect(try devices.accelerometer(named: "IMU B").path == "/dev/input/event10")
    #expect(try devices.accelerometer(named: "/dev/input/event10").name == "IMU B")
    let error = #expect(throws: SensorError.self) { try devices.accelerometer(named: "Keyboard") }
    #expect(error?.message.contains("there is IMU A (/dev/input/event9), IMU B") == true)
  }

  @Test func `says that there is none`() throws {
    let error = #expect(throws: SensorError.self) { try InputDevices(list: "/nowhere").accelerometer(named: "") }
    #expect(error?.code == .notFound)
  }
}
