import Host
import Wire

extension Settings {
  /// Settings that may be used, with what is unwise about them.
  struct Read: Sendable {
    var settings: Settings
    var warnings: [SettingsFault]
  }

  /// The largest file of a password, in bytes: MQTT itself takes 65,535, people far less.
  private static let passwordBytes = 4096

  /// Reads the configuration: defaults, then the file, the environment, and `--set`.
  ///
  /// Throws everything that is wrong at once.
  static func read(
    file path: String?, environment: [String: String], options: [String]
  ) throws(SettingsError) -> Read {
    var reader = SettingsReader()
    if let path {
      do throws(HostError) {
        reader.take(file: path, try SmallFile.read(path, limit: 1 << 20).bytes)
      } catch {
        throw SettingsError(faults: [SettingsFault(origin: .option("--config"), key: "", message: error.message)])
      }
    }
    reader.take(environment: environment)
    reader.take(options: options)
    reader.check()
    reader.readSecrets(limit: passwordBytes)
    guard reader.faults.isEmpty else { throw SettingsError(faults: reader.faults) }
    return Read(settings: reader.settings, warnings: reader.warnings)
  }
}

extension SettingsReader {
  /// Checks what one setting alone cannot tell.
  mutating func check() {
    let mqtt = settings.mqtt
    if mqtt.certificateFile.isEmpty != mqtt.keyFile.isEmpty {
      let missing = mqtt.keyFile.isEmpty ? "mqtt.key_file" : "mqtt.certificate_file"
      let present = mqtt.keyFile.isEmpty ? "mqtt.certificate_file" : "mqtt.key_file"
      refuseWritten(present, "needs \(missing) as well")
    }
    if !mqtt.passwordFile.isEmpty && mqtt.username.isEmpty {
      refuseWritten("mqtt.password_file", "needs mqtt.username as well")
    }
    if case .mqtt = settings.sensor.source {
      let topic = settings.sensor.mqtt.topic
      if topic.isEmpty { refuseWritten("sensor.source", "mqtt needs sensor.mqtt.topic as well") }
      if topic.isFilter(ofTopicsBelow: mqtt.root) {
        refuseWritten("sensor.mqtt.topic", "would hear what the agent itself says; name a topic of samples alone")
      }
    }
    if mqtt.root == settings.homeAssistant.prefix {
      refuseWritten("home_assistant.prefix", "is also mqtt.root; give one of them another topic")
    }
    if settings.places.source == .owntracks && settings.places.owntracks.topic.isEmpty {
      refuseWritten("places.source", "needs places.owntracks.topic as well, such as owntracks/anna/phone")
    }
    if settings.isFleet {
      checkDeviceTemplate()
      checkPlacesOfMany()
    }
    if let fault = Region.fault(in: settings.places.regions) { refuseWritten("places.regions", fault.reason) }
    if settings.places.source == .none && !settings.places.regions.isEmpty {
      warn(origins["places.regions"] ?? .set, "places.regions", "do nothing without places.source")
    }
    if settings.sensor.source == .recording && settings.sensor.recording.path.isEmpty {
      refuseWritten("sensor.source", "needs sensor.recording.path as well")
    }
    if settings.sensor.source == .lines && settings.sensor.lines.path.isEmpty {
      refuseWritten("sensor.lines.path", "is empty; write - for standard input")
    }
  }

  /// What stands for a wildcard needs one.
  private mutating func checkDeviceTemplate() {
    let mqtt = settings.sensor.mqtt
    let wildcards = mqtt.topic.split(separator: "/").count { $0 == "+" || $0 == "#" }
    guard let gap = (1...9).first(where: { $0 > wildcards && mqtt.device.contains("{\($0)}") }) else { return }
    refuseWritten(
      "sensor.mqtt.device", "{\(gap)} stands for a wildcard that '\(mqtt.topic.shown)' has not; write + there")
  }

  /// One wearer's position must not start the sessions of all.
  private mutating func checkPlacesOfMany() {
    let device = Settings.Places.OwnTracks.device
    switch settings.places.source {
    case .none: break
    case .gpsd:
      refuseWritten("places.source", "gpsd is one place for all devices of sensor.mqtt.device; take owntracks, or none")
    case .owntracks:
      guard !settings.places.owntracks.topic.contains(device) else { break }
      refuseWritten(
        "places.owntracks.topic",
        "is one phone for all devices of sensor.mqtt.device; write \(device) for its name, such as owntracks/\(device)/phone"
      )
    }
  }

  /// Reads the password's file, and looks who else may read it and the private key.
  mutating func readSecrets(limit: Int) {
    let mqtt = settings.mqtt
    if !mqtt.passwordFile.isEmpty && mqtt.password.isEmpty {
      do throws(HostError) {
        let file = try SmallFile.read(mqtt.passwordFile, limit: limit)
        let line = file.bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        if let password = String(validating: line, as: UTF8.self), !password.isEmpty {
          take(password: password)
        } else {
          let path = mqtt.passwordFile.shown
          refuseWritten("mqtt.password_file", "'\(path)' has no password in UTF-8 in its first line")
        }
        warnIfPublic("mqtt.password_file", mqtt.passwordFile)
      } catch {
        refuseWritten("mqtt.password_file", error.message)
      }
    }
    if !mqtt.keyFile.isEmpty { warnIfPublic("mqtt.key_file", mqtt.keyFile) }
  }

  private mutating func warnIfPublic(_ key: String, _ path: String) {
    guard SmallFile.isWorldReadable(path) else { return }
    warn(origins[key] ?? .set, key, "everyone on this machine may read '\(path.shown)'; 'chmod o-r' it")
  }

  private mutating func refuseWritten(_ key: String, _ message: String) {
    refuse(origins[key] ?? .set, key, message)
  }
}

extension String {
  /// Whether a subscription to it hears what is published below a topic.
  func isFilter(ofTopicsBelow root: String) -> Bool {
    let levels = split(separator: "/", omittingEmptySubsequences: false)
    let names = root.split(separator: "/", omittingEmptySubsequences: false)
    for (index, name) in names.enumerated() {
      guard index < levels.count else { return false }
      if levels[index] == "#" { return true }
      guard levels[index] == "+" || levels[index] == name else { return false }
    }
    return levels.count > names.count
  }
}
