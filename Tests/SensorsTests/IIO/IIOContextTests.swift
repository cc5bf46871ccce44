import Testing

@testable import Sensors

/// Whether libiio is installed here.
private let hasLibrary = (try? IIOLibrary()) != nil

/// A device with three axes of a format; libiio makes contexts of such descriptions that can be looked at, not read.
private func device(_ number: Int, _ name: String, label: String? = nil, formats: [String]) -> String {
  let axes = zip(["x", "y", "z"], formats).enumerated().map { index, axis in
    """
    <channel id="accel_\(axis.0)" type="input"><scan-element index="\(index)" format="\(axis.1)" />\
    <attribute name="raw" filename="in_accel_\(axis.0)_raw" /></channel>
    """
  }
  let label = label.map { " label=\"\($0)\"" } ?? ""
  return "<device id=\"iio:device\(number)\" name=\"\(name)\"\(label)>\(axes.joined())</device>"
}

private func context(_ devices: String...) throws -> IIOContext {
  try IIOContext(
    try IIOLibrary(),
    xml: "<?xml version=\"1.0\" encoding=\"utf-8\"?><context name=\"test\">\(devices.joined())</context>")
}

@Suite(.enabled(if: hasLibrary, "libiio is not installed"))
struct IIOContextTests {
  @Test(
    arguments: [
      ("le:s16/16&gt;&gt;0", [0xFE, 0xFF], -2), ("be:s16/16&gt;&gt;0", [0xFF, 0xFE], -2),
      ("le:s12/16&gt;&gt;4", [0xF0, 0x7F], 0x7FF), ("le:s12/16&gt;&gt;4", [0x0F, 0x80], -2048),
      ("be:s12/16&gt;&gt;4", [0x80, 0x00], -2048), ("be:s12/16&gt;&gt;4", [0x01, 0x2F], 0x12),
      ("le:s16/32&gt;&gt;0", [0xFF, 0x7F, 0xAD, 0xDE], 0x7FFF),
      ("le:s16/32&gt;&gt;0", [0x00, 0x80, 0x34, 0x12], -32768),
      ("le:s32/32&gt;&gt;0", [0xFF, 0xFF, 0xFF, 0xFF], -1), ("be:s24/32&gt;&gt;8", [0xFF, 0xFF, 0xFE, 0x77], -2),
      ("le:s8/8&gt;&gt;0", [0x80], -128), ("le:u8/8&gt;&gt;0", [0x7F], 127), ("le:s14/16&gt;&gt;2", [0xFC, 0xFF], -1),
      ("le:s10/16&gt;&gt;6", [0x40, 0x80], -511), ("le:s64/64&gt;&gt;0", [0, 0, 0, 0, 0, 0, 0, 0x80], Int64.min),
      ("le:u12/16&gt;&gt;0", [0xFF, 0xFF], 4095),
    ] as [(String, [UInt8], Int64)])
  func `reads a number in each format, whatever the neighbours' bits`(
    format: String, bytes: [UInt8], number: Int64
  ) throws {
    let context = try context(device(0, "chip", formats: [format, format, format]))
    let channel = try #require(context.devices.first?.channel("accel_y"))
    let padded = [0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5] + bytes
    let value = unsafe padded.withUnsafeBytes { unsafe channel.number(in: $0, at: 8) }
    #expect(value == number)
    #expect(channel.isBuffered)
  }

  private let plain = ["le:s16/16&gt;&gt;0", "le:s16/16&gt;&gt;0", "le:s16/16&gt;&gt;0"]

  @Test(arguments: [("", "first"), ("second", "second"), ("accel-base", "third (accel-base)")])
  func `finds an accelerometer by its channels, its name or its label`(wanted: String, found: String) throws {
    let context = try context(
      "<device id=\"trigger0\" name=\"second-trigger\"></device>", device(0, "pressure", formats: []),
      device(1, "one axis", formats: [plain[0]]), device(2, "first", formats: plain),
      device(3, "second", formats: plain), device(4, "third", label: "accel-base", formats: plain))
    #expect(try IIOAccelerometer.find(in: context, named: wanted).name == found)
  }

  @Test func `says which accelerometers there are when the wanted one is not there`() throws {
    let context = try context(device(0, "first", formats: plain), device(1, "second", formats: plain))
    let error = #expect(throws: SensorError.self) { _ = try IIOAccelerometer.find(in: context, named: "iio:device0") }
    #expect(error?.code == .notFound)
    #expect(error?.message == "there is no IIO accelerometer 'iio:device0'; there is first, second")
  }

  @Test func `says what to do where there is none`() throws {
    let error = #expect(throws: SensorError.self) {
      _ = try IIOAccelerometer.find(in: try context(device(0, "pressure", formats: [])), named: "")
    }
    #expect(
      error?.message == "there is no IIO accelerometer; check its wiring and driver, or set another sensor.source")
  }

  private let barometers = [
    device(0, "chip", formats: []),
    "<device id=\"trigger0\" name=\"lps22hb-trigger\"></device>",
    "<device id=\"iio:device1\" name=\"bmp280\"><channel id=\"pressure\" type=\"input\">"
      + "<attribute name=\"input\" filename=\"in_pressure_input\" /></channel></device>",
    "<device id=\"iio:device2\" name=\"lps22hb\" label=\"cabin\"><channel id=\"pressure\" type=\"input\">"
      + "<attribute name=\"raw\" filename=\"in_pressure_raw\" /></channel></device>",
  ]

  @Test(arguments: [("", "bmp280"), ("lps22hb", "lps22hb (cabin)"), ("cabin", "lps22hb (cabin)")])
  func `finds a barometer by its channel, its name or its label`(wanted: String, found: String) throws {
    let context = try context(barometers[0], barometers[1], barometers[2], barometers[3])
    #expect(try IIOBarometer.find(in: context, named: wanted)?.name == found)
  }

  @Test func `misses a barometer only where it was named`() throws {
    #expect(try IIOBarometer.find(in: try context(barometers[0], barometers[1]), named: "") == nil)
    let error = #expect(throws: SensorError.self) {
      _ = try IIOBarometer.find(in: try context(barometers[0], barometers[2]), named: "dps310")
    }
    #expect(error?.message == "there is no IIO barometer 'dps310'; there is bmp280")
  }

  @Test func `is lost, and goes on trying, where another machine does not answer`() async throws {
    let clock = VirtualClock()
    let delivered = try await collect(
      IIOSource(.init(uri: "ip:127.0.0.1:1")), on: clock,
      reacting: { event, _ in
        if case .lost = event { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
      })
    #expect(delivered.events.count == 1)
    guard case .lost(let error) = delivered.events.first else {
      Issue.record("not lost: \(delivered.events)")
      return
    }
    #expect(error.code == .notFound)
    #expect(error.message.hasPrefix("ip:127.0.0.1:1: no devices can be seen there"))
  }
}
