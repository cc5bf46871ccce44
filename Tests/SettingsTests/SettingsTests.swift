import Glibc
import Testing

@testable import steps2mqtt

@Suite struct SettingsTests {
  @Test func `without file, environment and options all is default`() throws {
    let read = try Settings.read(file: nil, environment: ["PATH": "/bin"], options: [])
    #expect(read.settings == Settings())
    #expect(read.warnings == [])
  }

  @Test func `options go over the environment, and that over the file`() throws {
    let file = try TemporaryFile("mqtt:\n  root: file\n  keepalive_s: 10\n  username: file\n")
    let read = try Settings.read(
      file: file.path, environment: ["STEPS2MQTT_MQTT_ROOT": "variable", "STEPS2MQTT_MQTT_KEEPALIVE_S": "20"],
      options: ["mqtt.root=option"])
    #expect(read.settings.mqtt.root == "option")
    #expect(read.settings.mqtt.keepalive == 20)
    #expect(read.settings.mqtt.username == "file")
  }

  @Test func `of the same option the last counts`() throws {
    let read = try Settings.read(file: nil, environment: [:], options: ["mqtt.root=a", "mqtt.root=b"])
    #expect(read.settings.mqtt.root == "b")
  }

  @Test func `every type is read from its text`() throws {
    let file = try TemporaryFile(
      """
      device: {id: watch-7, name: "Anna's watch: \\"the red one\\"", groups: [red, blue]}
      mqtt:
        brokers: [mqtts://broker.example:8883, "mqtt://[::1]:1883", mqtt://10.0.0.1]
        protocol: 3.1.1
        replay_rate: 0
      sensor:
        source: recording
        recording: {path: walk 1.csv, speed: max, loop: true}
        synthetic: {cadences_spm: [100, 110.5]}
      tracking: {start: never, counting: always, update_interval_s: 0.5, time_zone: America/Argentina/Buenos_Aires}
      home_assistant:
      log: {level: debug}

      """)
    var expected = Settings()
    expected.device = Settings.Device(id: "watch-7", name: "Anna's watch: \"the red one\"", groups: ["red", "blue"])
    expected.mqtt.brokers = ["mqtts://broker.example:8883", "mqtt://[::1]:1883", "mqtt://10.0.0.1"]
    expected.mqtt.version = .v311
    expected.mqtt.replayRate = 0
    expected.sensor.source = .recording
    expected.sensor.recording = Settings.Sensor.Recording(path: "walk 1.csv", speed: .max, loop: true)
    expected.sensor.synthetic.cadences = [100, 110.5]
    expected.tracking = Settings.Tracking(
      start: .never, counting: .always, updateInterval: 0.5, timeZone: "America/Argentina/Buenos_Aires")
    expected.log.level = .debug
    #expect(try Settings.read(file: file.path, environment: [:], options: []).settings == expected)
  }

  @Test(
    arguments: [
      ("device.groups=", []), ("device.groups=a", ["a"]), ("device.groups=a, b", ["a", "b"]),
      ("device.groups=[]", []), ("device.groups=[a, \"b\"]", ["a", "b"]),
    ] as [(String, [String])])
  func `a list is taken from one line`(option: String, groups: [String]) throws {
    #expect(try Settings.read(file: nil, environment: [:], options: [option]).settings.device.groups == groups)
  }

  @Test(arguments: ["x=y", "~", "", "- a", "\"q\"", "#"])
  func `text on the command line is taken as it is`(name: String) throws {
    let read = try Settings.read(file: nil, environment: [:], options: ["device.name=\(name)"])
    #expect(read.settings.device.name == name)
  }

  @Test(arguments: ["plain", "with space", "a: b", "#", "true", "- x", "q\"uote\\", "", "~", "5", "é", "[a]"])
  func `text written as YAML is read back`(text: String) throws {
    var settings = Settings()
    settings.device.name = text
    let line = try #require(Schema["device.name"]).text(settings)
    let file = try TemporaryFile("device:\n  name: \(line)\n")
    #expect(try Settings.read(file: file.path, environment: [:], options: []).settings.device.name == text)
  }
}

@Suite struct SecretTests {
  @Test func `a password never prints`() throws {
    let read = try Settings.read(
      file: nil, environment: ["STEPS2MQTT_MQTT_PASSWORD": "hunter2"], options: ["mqtt.username=me"])
    #expect(read.settings.mqtt.password.text == "hunter2")
    var dumped = ""
    dump(read, to: &dumped)
    for text in ["\(read)", "\(read.settings.mqtt)", String(reflecting: read), dumped] {
      #expect(!text.contains("hunter2"))
    }
    #expect("\(read.settings.mqtt.password)" == "•••")
    #expect("\(Secret())" == "(none)")
  }

  @Test func `a faulty broker does not show its password`() {
    let error = #expect(throws: SettingsError.self) {
      try Settings.read(file: nil, environment: [:], options: ["mqtt.brokers=mqtt://me:hunter2@host"])
    }
    #expect(error?.description.contains("hunter2") == false)
  }

  @Test func `the first line of the password's file is the password`() throws {
    let file = try TemporaryFile("hunter2 \r\nmore\n", mode: 0o600)
    let read = try Settings.read(
      file: nil, environment: [:], options: ["mqtt.username=me", "mqtt.password_file=\(file.path)"])
    #expect(read.settings.mqtt.password.text == "hunter2 ")
    #expect(read.warnings == [])
  }

  @Test func `the environment's password goes over that of the file, which is not read`() throws {
    let read = try Settings.read(
      file: nil, environment: ["STEPS2MQTT_MQTT_PASSWORD": "other"],
      options: ["mqtt.username=me", "mqtt.password_file=/nowhere/at/all"])
    #expect(read.settings.mqtt.password.text == "other")
  }

  @Test func `secrets that everyone may read are a warning`() throws {
    let file = try TemporaryFile("hunter2\n", mode: 0o644)
    let read = try Settings.read(
      file: nil, environment: [:],
      options: [
        "mqtt.username=me", "mqtt.password_file=\(file.path)", "mqtt.certificate_file=c", "mqtt.key_file=\(file.path)",
      ])
    #expect(
      read.warnings.map(\.description) == [
        "--set: mqtt.password_file: everyone on this machine may read '\(file.path)'; 'chmod o-r' it",
        "--set: mqtt.key_file: everyone on this machine may read '\(file.path)'; 'chmod o-r' it",
      ])
  }

  @Test(arguments: [[], [0x0A], [0xFF, 0xFE], [UInt8](repeating: 0x61, count: 5000)] as [[UInt8]])
  func `a file without a usable password is refused`(bytes: [UInt8]) throws {
    let file = try TemporaryFile(bytes: bytes, mode: 0o600)
    #expect(throws: SettingsError.self) {
      try Settings.read(file: nil, environment: [:], options: ["mqtt.username=me", "mqtt.password_file=\(file.path)"])
    }
  }
}

/// A file that is gone with its value.
final class TemporaryFile {
  let path: String

  convenience init(_ text: String, mode: mode_t = 0o644) throws { try self.init(bytes: Array(text.utf8), mode: mode) }

  init(bytes: [UInt8], mode: mode_t) throws {
    var template = Array("/tmp/steps2mqtt-settings-XXXXXX".utf8CString)
    let descriptor = unsafe mkstemp(&template)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard descriptor >= 0 else { throw GoldenError(path: path) }
    let count = unsafe write(descriptor, bytes, bytes.count)
    fchmod(descriptor, mode)
    close(descriptor)
    guard count == bytes.count else { throw GoldenError(path: path) }
  }

  deinit { unsafe unlink(path) }
}
