import Agent
import Host
import Journal
import MQTT
import Motion
import Sensors
import Wire

// What each module wants to know, made of the settings: the one place where their words meet.

extension Settings {
  /// The device's id, derived from the host where none is set.
  var deviceID: String { device.id == "auto" ? HostIdentity.deviceID() : device.id }

  /// The device's topics.
  var topics: Topics {
    Topics(
      root: mqtt.root, device: deviceID, groups: device.groups,
      homeAssistant: homeAssistant.enabled ? homeAssistant.prefix : nil,
      ownTracks: places.source == .owntracks ? phoneTopic : nil)
  }

  /// Where the wearer's phone says where it is; `{device}` in it is the device's id.
  var phoneTopic: String { places.owntracks.topic.replacing(Places.OwnTracks.device, with: deviceID) }

  /// What the machine is told, under a boot id.
  func agent(boot: String, exitAtEnd: Bool) -> Machine.Configuration {
    var configuration = Machine.Configuration(topics: topics, boot: boot, seed: .random(in: .min ... .max))
    if let date = HostClock.firstPossibleDate() {
      configuration.firstPossibleDate = max(configuration.firstPossibleDate, date)
    }
    configuration.name = device.name
    configuration.version = Version.number
    configuration.libraries = Version.libraries
    configuration.start =
      switch tracking.start {
      case .last: .last
      case .always: .always
      case .never: .never
      }
    configuration.counting =
      switch tracking.counting {
      case .whileStarted: .whileStarted
      case .always: .always
      }
    configuration.updateInterval = Int64((tracking.updateInterval * 1000).rounded())
    configuration.wearer = wearer.pedometer
    configuration.historyDays = journal.historyDays
    configuration.places = places.watched
    configuration.notification = notification.words
    configuration.responsePrefixes = mqtt.responsePrefixes
    configuration.requiresID = mqtt.requiresID
    configuration.replayRate = mqtt.replayRate > 0 ? mqtt.replayRate : nil
    configuration.replayDelay = Int64((mqtt.replayDelay * 1000).rounded())
    configuration.exitAtEnd = exitAtEnd
    return configuration
  }

  /// How the broker is reached under a client id, without will and subscriptions.
  func client(id: String) throws(MQTTError) -> Client.Configuration {
    var brokers: [Broker] = []
    for url in mqtt.brokers { brokers.append(try Broker(url)) }
    func optional(_ text: String) -> String? { text.isEmpty ? nil : text }
    return Client.Configuration(
      brokers: brokers, clientID: id, version: mqtt.version == .v5 ? .v5 : .v311, username: optional(mqtt.username),
      password: mqtt.password.isEmpty ? nil : mqtt.password.text,
      tls: Client.Configuration.TLS(
        authorityFile: optional(mqtt.caFile), certificateFile: optional(mqtt.certificateFile),
        keyFile: optional(mqtt.keyFile)),
      keepAlive: UInt16(clamping: mqtt.keepalive), sessionExpiry: UInt32(clamping: mqtt.sessionExpiry),
      maximumIncomingPacketSize: Self.largestIncoming)
  }

  /// What the broker may send, in bytes; far more than any command, which is answered with `too_large`.
  ///
  /// mosquitto 2.0.11 drops a message that is larger than we allow, and then holds back all that follow it (measured).
  private static let largestIncoming: UInt32 = 16 << 20

  /// What is written to standard error.
  var logLevel: Host.Log.Level {
    switch log.level {
    case .error: .error
    case .warning: .warning
    case .notice: .notice
    case .info: .info
    case .debug: .debug
    }
  }
}

extension Settings.Places {
  /// The receiver of this device; nil where positions come from elsewhere, or from nowhere.
  var receiver: GPSDSource? {
    switch source {
    case .gpsd: GPSDSource(GPSDSource.Configuration(host: gpsd.host, port: gpsd.port))
    case .none, .owntracks: nil
    }
  }

  /// How places are watched.
  var watched: Machine.Configuration.Places {
    var watched = Machine.Configuration.Places()
    watched.isWatching = source != .none
    watched.regions = regions
    watched.oldest = Int64(maxAge * 1000)
    watched.coarsest = maxAccuracy
    watched.margin = margin
    watched.dwell = Int64(dwell * 1000)
    watched.remote =
      switch commands {
      case .none: .none
      case .list: .list
      case .set: .set
      }
    watched.publishesPosition = publishesPosition
    return watched
  }
}

extension Settings.Notification {
  /// What a person is told; nil for nothing.
  var words: Machine.Configuration.Notification? {
    guard enabled, let text = TextTemplate(text), let textAtPlace = TextTemplate(textAtPlace) else { return nil }
    return Machine.Configuration.Notification(text: text, textAtPlace: textAtPlace, tellsPlace: place)
  }
}

extension Journal.Configuration {
  /// Where the journal lies and how much it may keep.
  init(_ settings: Settings.Journal) {
    self.init(
      directory: settings.directory, maximumBytes: Int64(settings.maxBytes), historyDays: settings.historyDays,
      unsentDays: settings.unsentDays, freeDiskFloor: Int64(settings.minFreeBytes))
  }
}

extension Settings.Wearer {
  /// What the engine should know about its wearer.
  var pedometer: Pedometer.Configuration {
    Pedometer.Configuration(
      height: Float(height), stepLength: stepLength > 0 ? Float(stepLength) : nil, sensitivity: sensitivity.pedometer)
  }
}

extension Settings.Wearer.Sensitivity {
  fileprivate var pedometer: Pedometer.Sensitivity {
    switch self {
    case .low: .low
    case .normal: .normal
    case .high: .high
    }
  }
}
