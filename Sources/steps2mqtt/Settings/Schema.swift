import Wire
import YAML

/// One setting: its key, its place in `Settings`, how it is written, and why it is there.
struct Setting: Sendable {
  /// The path through the groups: `mqtt.keepalive_s`.
  let key: String
  /// What it does, in one line.
  let why: String
  /// What is right: `a whole number from 5 to 65535`.
  let form: String
  let node: @Sendable (String) -> Node
  let apply: @Sendable (Node, inout Settings) throws(Refusal) -> Void
  /// The value of some settings, as it is written in YAML.
  let text: @Sendable (Settings) -> String

  init<Value>(
    _ key: String, _ path: any WritableKeyPath<Settings, Value> & Sendable, _ kind: Kind<Value>, _ why: String
  ) {
    self.key = key
    self.why = why
    form = kind.form
    node = { kind.node(from: $0) }
    apply = { node, settings throws(Refusal) in settings[keyPath: path] = try kind.read(node) }
    text = { kind.write($0[keyPath: path]) }
  }

  /// The name of the environment's variable that sets it: `STEPS2MQTT_MQTT_KEEPALIVE_S`.
  var variable: String { Schema.prefix + key.uppercased().replacing(".", with: "_") }
}

/// All settings, declared once: decoding, checks, overriding, help and `Config/steps2mqtt.yaml` come from here.
enum Schema {
  static let prefix = "STEPS2MQTT_"
  /// The one variable that holds a secret rather than a setting.
  static let passwordVariable = prefix + "MQTT_PASSWORD"

  static let settings: [Setting] =
    device + mqtt + sensor + wearer + tracking + places + notification + journal + homeAssistant + log

  private static let byKey = Dictionary(uniqueKeysWithValues: settings.map { ($0.key, $0) })
  /// The groups, such as `sensor.recording`.
  static let groups: Set<String> = Set(
    settings.flatMap { setting in
      let parts = setting.key.split(separator: ".")
      return (1..<parts.count).map { parts.prefix($0).joined(separator: ".") }
    })

  /// The keys of all settings and groups: what a wrong key may have been meant to be.
  static let names = settings.map(\.key) + groups.sorted()

  /// What to say to those who look for a setting that is elsewhere, or is no setting on purpose.
  static let hints = [
    "mqtt.host": "write mqtt.brokers: [mqtt://HOST:1883]",
    "mqtt.port": "write mqtt.brokers: [mqtt://HOST:PORT]",
    "mqtt.url": "write mqtt.brokers: [mqtt://HOST:1883]",
    "mqtt.tls": "write mqtt.brokers: [mqtts://HOST:8883]",
    "mqtt.client_id": "the client's id is device.id",
    "mqtt.password": "write it to a file named in mqtt.password_file, or set \(passwordVariable)",
  ]

  static subscript(key: String) -> Setting? { byKey[key] }

  private static let device = [
    Setting("device.id", \.device.id, .deviceID, "the device in topics; auto derives one from the host"),
    Setting("device.name", \.device.name, .name, "the device for people; empty takes the id"),
    Setting(
      "device.groups", \.device.groups, .list(of: .word, 0...32, "names"),
      "whose commands the device obeys, beside its own and those to all"),
  ]

  private static let mqtt = [
    Setting(
      "mqtt.brokers", \.mqtt.brokers, .list(of: .broker, 1...16, "brokers"),
      "tried in turn until one answers; mqtts encrypts"),
    Setting("mqtt.root", \.mqtt.root, .topic, "the topic below which every device has its own"),
    Setting("mqtt.protocol", \.mqtt.version, .choice, "5 says why a broker refuses; 3.1.1 is for brokers that are old"),
    Setting(
      "mqtt.keepalive_s", \.mqtt.keepalive, .whole(5...65535), "a dead link is noticed after at most twice this time"),
    Setting(
      "mqtt.session_expiry_s", \.mqtt.sessionExpiry, .whole(0...4_294_967_295),
      "how long the broker keeps commands for a device that is away"),
    Setting("mqtt.username", \.mqtt.username, .name, "who the device is to the broker; empty for nobody"),
    Setting(
      "mqtt.password_file", \.mqtt.passwordFile, .path,
      "a file that holds the password alone; or set \(passwordVariable)"),
    Setting("mqtt.ca_file", \.mqtt.caFile, .path, "who may certify the broker; empty takes the system's certificates"),
    Setting(
      "mqtt.certificate_file", \.mqtt.certificateFile, .path, "the device's own certificate, where a broker asks"),
    Setting("mqtt.key_file", \.mqtt.keyFile, .path, "the private key of that certificate"),
    Setting(
      "mqtt.response_prefixes", \.mqtt.responsePrefixes, .list(of: .topic, 0...32, "topics"),
      "where answers may go beside the root, when a command names a response topic"),
    Setting(
      "mqtt.require_id", \.mqtt.requiresID, .flag,
      "refuses commands without an id, bare words too; for fleets behind a bridge, which repeats stored commands"),
    Setting(
      "mqtt.replay_rate", \.mqtt.replayRate, .number(0...100_000),
      "records a second sent after an outage; 0 for as fast as the broker takes them"),
    Setting(
      "mqtt.replay_delay_s", \.mqtt.replayDelay, .number(0...3600),
      "the replay begins within this time, at random, so that a fleet does not begin at once"),
  ]

  private static let sensor = [
    Setting(
      "sensor.source", \.sensor.source, .choice,
      "where samples come from; auto takes the recording if one is named, else what is found: iio, then evdev"),
    Setting(
      "sensor.rate_hz", \.sensor.rate, .number(10...200), "samples a second; more cost power and count no better"),
    Setting("sensor.unit", \.sensor.unit, .choice, "what lines and messages are written in, gravity included"),
    Setting(
      "sensor.barometer", \.sensor.barometer, .barometer,
      "counts floors, with the steps; auto takes the first of the kernel's, where the source is iio"),
    Setting(
      "sensor.iio.device", \.sensor.iio.device, .name, "the accelerometer's name or label; empty takes the first"),
    Setting("sensor.iio.uri", \.sensor.iio.uri, .iioAddress, "where it is; empty is this machine"),
    Setting(
      "sensor.evdev.device", \.sensor.evdev.device, .name,
      "the input device's name or path; empty takes the first accelerometer"),
    Setting("sensor.recording.path", \.sensor.recording.path, .path, "a CSV of t,x,y,z in s and g"),
    Setting("sensor.recording.speed", \.sensor.recording.speed, .speed, "1 plays it as it was; max is for tests"),
    Setting("sensor.recording.loop", \.sensor.recording.loop, .flag, "whether it begins again when it ends"),
    Setting(
      "sensor.lines.path", \.sensor.lines.path, .path,
      "where lines t_ms,x,y,z or x,y,z come from: - is standard input, else a FIFO or a file"),
    Setting(
      "sensor.serial.path", \.sensor.serial.path, .path, "the port that such lines come from; best by /dev/serial/by-id"
    ),
    Setting("sensor.serial.baud", \.sensor.serial.baud, .baud, "its speed"),
    Setting(
      "sensor.udp.address", \.sensor.udp.address, .address,
      "where datagrams of such lines are listened for; 0.0.0.0 takes them from everybody who can reach this machine"),
    Setting("sensor.udp.port", \.sensor.udp.port, .whole(1...65535), "the port of it"),
    Setting(
      "sensor.mqtt.topic", \.sensor.mqtt.topic, .topicFilter,
      "the broker's topic that such lines, or the batches of the app Sensor Logger, are published to"),
    Setting(
      "sensor.mqtt.device", \.sensor.mqtt.device, .deviceTemplate,
      "a device each for many senders, named by the topic's wildcards or by Sensor Logger"),
    Setting(
      "sensor.mqtt.most_devices", \.sensor.mqtt.mostDevices, .whole(1...64),
      "how many devices there may be, as whoever may publish there can make one"),
    Setting(
      "sensor.synthetic.seed", \.sensor.synthetic.seed, .whole(0...Int(Int32.max)), "the same seed walks the same way"),
    Setting(
      "sensor.synthetic.cadences_spm", \.sensor.synthetic.cadences,
      .list(of: .number(30...240), 0...64, "cadences"),
      "steps a minute of each bout; empty takes a walk made for showing"),
    Setting("sensor.synthetic.walk_s", \.sensor.synthetic.walk, .number(1...86_400), "how long a bout lasts"),
    Setting(
      "sensor.synthetic.pause_s", \.sensor.synthetic.pause, .number(0...86_400), "how long the pause after it lasts"),
    Setting("sensor.synthetic.noise_g", \.sensor.synthetic.noise, .number(0...1), "how noisy the device is, rms"),
    Setting("sensor.synthetic.placement", \.sensor.synthetic.placement, .choice, "where the device is worn"),
    Setting("sensor.synthetic.speed", \.sensor.synthetic.speed, .speed, "1 walks in real time; max is for tests"),
    Setting("sensor.synthetic.loop", \.sensor.synthetic.loop, .flag, "whether the walk begins again when it ends"),
  ]

  private static let wearer = [
    Setting(
      "wearer.height_m", \.wearer.height, .number(Limits.height), "step length, and so distance, follows from it"),
    Setting(
      "wearer.step_length_m", \.wearer.stepLength, .stepLength, "a measured one; 0 estimates it from height and cadence"
    ),
    Setting(
      "wearer.sensitivity", \.wearer.sensitivity, .choice,
      "high counts slow and weak steps too, low suits rough rides and work with the hands"),
  ]

  private static let tracking = [
    Setting("tracking.start", \.tracking.start, .choice, "whether a session runs at start: as at the end, or so"),
    Setting("tracking.counting", \.tracking.counting, .choice, "always also counts outside sessions, as phones do"),
    Setting(
      "tracking.update_interval_s", \.tracking.updateInterval, .number(Limits.updateInterval),
      "the least time between two step updates; those of 5 s go to the disk together"),
    Setting(
      "tracking.time_zone", \.tracking.timeZone, .timeZone, "where the wearer's day begins; empty takes the host's zone"
    ),
  ]

  private static let journal = [
    Setting(
      "journal.directory", \.journal.directory, .directory, "where records are kept until they are sent, and after"),
    Setting(
      "journal.max_bytes", \.journal.maxBytes, .whole(1_048_576...1_099_511_627_776),
      "beyond this size the oldest steps are merged into hours, then dropped"),
    Setting(
      "journal.min_free_bytes", \.journal.minFreeBytes, .whole(0...1_099_511_627_776),
      "the space on the disk that is left to others"),
    Setting("journal.history_days", \.journal.historyDays, .whole(1...3650), "how far back queries and start reach"),
    Setting("journal.unsent_days", \.journal.unsentDays, .whole(1...3650), "how long an outage may last without loss"),
  ]

  private static let homeAssistant = [
    Setting("home_assistant.enabled", \.homeAssistant.enabled, .flag, "whether the device announces itself there"),
    Setting("home_assistant.prefix", \.homeAssistant.prefix, .topic, "the topic that Home Assistant discovers below"),
  ]

  private static let log = [
    Setting("log.level", \.log.level, .choice, "the least important lines written to standard error")
  ]
}
