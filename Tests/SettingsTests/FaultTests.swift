import SeededRandom
import Testing

@testable import steps2mqtt

@Suite struct FaultTests {
  static let directory = Repository.root + "/Tests/Fixtures/settings/"
  static let names = Golden.names(in: directory, ending: ".yaml")

  /// Each `NAME.yaml` is refused with the lines of `NAME.error`.
  @Test(arguments: names)
  func `a faulty file is refused with all its faults`(name: String) throws {
    var reader = SettingsReader()
    reader.take(file: "\(name).yaml", try Golden.bytes(of: Self.directory + "\(name).yaml"))
    reader.check()
    reader.readSecrets(limit: 4096)
    #expect(!reader.faults.isEmpty)
    let text = "\(SettingsError(faults: reader.faults))\n"
    if Golden.isRecorded { try Golden.write(text, to: Self.directory + "\(name).error") }
    #expect(try Golden.read(Self.directory + "\(name).error") == text, "re-record with RECORD_GOLDEN=1")
  }

  @Test func `there are faulty files`() { #expect(Self.names.count > 30) }

  @Test func `a file that is missing is named`() {
    let error = #expect(throws: SettingsError.self) {
      try Settings.read(file: "/nowhere/at/all", environment: [:], options: [])
    }
    #expect(error?.description == "--config: '/nowhere/at/all' does not exist")
  }

  @Test(arguments: [
    ("mqtt.keepalive_s=1", "--set: mqtt.keepalive_s: '1' is not a whole number from 5 to 65535"),
    ("mqtt.keepalive_s", "--set: mqtt.keepalive_s: has no value; write --set mqtt.keepalive_s=VALUE"),
    ("mqtt.keepalive=1", "--set: mqtt.keepalive: is no setting; did you mean mqtt.keepalive_s?"),
    ("mqtt=1", "--set: mqtt: is a group; set one of its settings, such as mqtt.brokers"),
    (
      "mqtt.brokers=mqtt://a,b",
      "--set: mqtt.brokers[1]: 'b' is not a broker: write mqtt://host:1883, or mqtts://host:8883 for TLS"
    ),
    (
      "mqtt.password=x",
      "--set: mqtt.password: is no setting; write it to a file named in mqtt.password_file, or set STEPS2MQTT_MQTT_PASSWORD"
    ),
    ("sensor.source=recording", "--set: sensor.source: needs sensor.recording.path as well"),
    ("=1", "--set: is no setting; 'steps2mqtt run --help' lists them all"),
  ])
  func `a faulty option is named`(option: String, line: String) {
    let error = #expect(throws: SettingsError.self) {
      try Settings.read(file: nil, environment: [:], options: [option])
    }
    #expect(error?.description == line)
  }

  @Test(
    arguments: [
      (["places.source=gpsd"], "places.source: gpsd is one place for all devices"),
      (
        ["places.source=owntracks", "places.owntracks.topic=owntracks/anna/phone"],
        "places.owntracks.topic: is one phone"
      ),
      (["places.source=owntracks", "places.owntracks.topic=owntracks/{device}/phone"], nil),
    ] as [([String], String?)])
  func `one wearer's position must not start the sessions of many`(places: [String], fault: String?) throws {
    let many = ["sensor.source=mqtt", "sensor.mqtt.topic=phones/+/accel", "sensor.mqtt.device={1}"]
    guard let fault else {
      var settings = try Settings.read(file: nil, environment: [:], options: many + places).settings
      settings.device.id = "anna"
      #expect(settings.phoneTopic == "owntracks/anna/phone")
      return
    }
    let error = #expect(throws: SettingsError.self) {
      try Settings.read(file: nil, environment: [:], options: many + places)
    }
    #expect(error?.description.contains(fault) == true, "\(error?.description ?? "")")
  }

  @Test(arguments: [
    ("#", true), ("home/steps", false), ("home/steps/#", true), ("home/#", true), ("home/steps/anna/state", true),
    ("+/steps/anna/state", true), ("+/+/+", true), ("+/+", false), ("phones/+/accel", false),
    ("home/stepsize/+", false),
  ])
  func `a filter of samples must not hear the agent itself`(filter: String, hears: Bool) {
    #expect(filter.isFilter(ofTopicsBelow: "home/steps") == hears)
  }

  @Test func `a faulty variable is named`() {
    let error = #expect(throws: SettingsError.self) {
      try Settings.read(
        file: nil, environment: ["STEPS2MQTT_SENSOR_RATE_HZ": "x", "STEPS2MQTT_LOG_LEVEL": "loud"], options: [])
    }
    #expect(
      error?.description == """
        STEPS2MQTT_LOG_LEVEL: log.level: 'loud' is not error, warning, notice, info or debug
        STEPS2MQTT_SENSOR_RATE_HZ: sensor.rate_hz: 'x' is not a number from 10 to 200
        """)
  }

  @Test func `a variable that is no setting is a warning`() throws {
    let read = try Settings.read(
      file: nil, environment: ["STEPS2MQTT_SERVICE_HOST": "10.0.0.1", "STEPS2MQTT_MQTT_ROT": "a"], options: [])
    #expect(
      read.warnings.map(\.description) == [
        "STEPS2MQTT_MQTT_ROT: is no setting, and ignored; did you mean STEPS2MQTT_MQTT_ROOT?",
        "STEPS2MQTT_SERVICE_HOST: is no setting, and ignored",
      ])
  }

  @Test func `of very many faults the first are shown`() {
    let faults = (0..<100).map { SettingsFault(origin: .set, key: "k\($0)", message: "m") }
    let lines = SettingsError(faults: faults).description.split(separator: "\n")
    #expect(lines.count == 41)
    #expect(lines.last == "… and 60 more")
  }

  /// libFuzzer found the key that comes twice.
  @Test(arguments: [
    #"{"a\nb": 1, "a\nb": 2}"#, #"{"a\nb": 1}"#, #"{mqtt: {"a\nb": 1}}"#, #"{mqtt: {root: "a\nb"}}"#,
    #"{mqtt: {brokers: ["mqtt://a\nb"]}}"#, #"{sensor: {source: "a\nb"}}"#, #"{"a\nb": &a 1}"#, "? a\n\n  b\n: *c\n",
  ])
  func `a fault is one line, whatever breaks lines in the file`(text: String) {
    var reader = SettingsReader()
    reader.take(file: "a.yaml", Array(text.utf8))
    #expect(!reader.faults.isEmpty)
    for fault in reader.faults { #expect(!fault.description.contains("\n")) }
  }

  @Test func `a fault is one line, whatever breaks lines in variables and options`() {
    var reader = SettingsReader()
    reader.take(environment: ["STEPS2MQTT_A\nB": "1", "STEPS2MQTT_MQTT_ROOT": "a\nb"])
    reader.take(options: ["a\nb=1", "a\nb", "mqtt.root=a\nb"])
    #expect(reader.faults.count == 4 && reader.warnings.count == 1)
    for fault in reader.faults + reader.warnings { #expect(!fault.description.contains("\n")) }
  }

  /// To Swift a character with a mark above it is another one, to whoever reads bytes it is not; libFuzzer found the first.
  @Test(arguments: ["\\", "\"", ":", "#", "'", "/", "{", ","])
  func `what is written means the same when it is read, with a mark above any character too`(character: String) throws {
    let name = "a" + character + "\u{312}b"
    let first = try Settings.read(file: nil, environment: [:], options: ["device.name=\(name)"]).settings
    #expect(first.device.name == name)
    var reader = SettingsReader()
    reader.take(file: "a.yaml", Array("device: {name: \(name.yaml)}".utf8))
    #expect(reader.faults == [] && reader.settings.device.name == name)
  }

  @Test(arguments: [
    "mqtt.root=a+\u{312}/b", "mqtt.root=a#\u{312}", "mqtt.brokers=mqtt://anna:secret@\u{312}host",
    "mqtt.brokers=mqtt://host/\u{312}a", "sensor.mqtt.topic=a+\u{312}/b",
  ])
  func `a mark above a character hides it from nobody`(option: String) {
    var reader = SettingsReader()
    reader.take(options: [option])
    #expect(reader.faults.count == 1)
    #expect(!reader.faults.contains { $0.description.contains("secret") })
  }

  @Test(arguments: [
    ("phones/+/accel", "{1}", true), ("phones/x/accel", "{1}", false), ("+/+", "{1}-{2}", true), ("+/a", "{2}", false),
  ])
  func `what stands for a wildcard needs one`(topic: String, device: String, isRight: Bool) {
    let options = ["sensor.source=mqtt", "sensor.mqtt.topic=\(topic)", "sensor.mqtt.device=\(device)"]
    var reader = SettingsReader()
    reader.take(options: options)
    reader.check()
    #expect(reader.faults.contains { $0.key == "sensor.mqtt.device" } == !isRight)
  }

  @Test func `any bytes are read or refused, none traps`() {
    var random = SplitMix(seed: 11)
    let words =
      Schema.settings.flatMap { $0.key.split(separator: ".").map(String.init) }
      + [
        ":", ": ", "\n", "\n  ", "\n    ", "[", "]", "{", "}", ", ", "-", "\"", "'", "1", "50", "true", "max", "~",
        "\u{0}",
      ]
    var accepted = 0
    for _ in 0..<1000 {
      let text = (0..<(random.next() % 12)).map { _ in words[Int(random.next() % UInt64(words.count))] }.joined()
      var reader = SettingsReader()
      reader.take(file: "f", Array(text.utf8))
      reader.take(options: [text])
      reader.check()
      if reader.faults.isEmpty { accepted += 1 }
    }
    #expect(accepted < 1000)
  }
}
