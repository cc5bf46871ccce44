import Host
import MQTT
import Wire

// What of the settings may change while the agent runs.
extension Settings {
  /// These, with everything of others that can change while the agent runs.
  func taking(_ new: Settings) -> Settings {
    var next = self
    next.device.name = new.device.name
    next.device.groups = new.device.groups
    next.mqtt = new.mqtt
    next.mqtt.root = mqtt.root
    next.mqtt.replayRate = mqtt.replayRate
    next.wearer = new.wearer
    next.tracking.updateInterval = new.tracking.updateInterval
    next.places = new.places
    (next.places.source, next.places.gpsd, next.places.owntracks) = (places.source, places.gpsd, places.owntracks)
    next.notification = new.notification
    next.log = new.log
    return next
  }

  /// The keys whose values differ from those of others.
  func keys(differingFrom others: Settings) -> [String] {
    Schema.settings.filter { $0.text(self) != $0.text(others) }.map(\.key)
  }

  /// Whether the link to the broker has to be made anew.
  fileprivate func concernsLink(differentlyFrom others: Settings) -> Bool {
    var mine = mqtt
    mine.responsePrefixes = others.mqtt.responsePrefixes
    mine.replayDelay = others.mqtt.replayDelay
    mine.requiresID = others.mqtt.requiresID
    return mine != others.mqtt || device.groups != others.device.groups
  }

  /// What the broker says of the device when it vanishes, and what it is told when the device leaves for another.
  var will: OutgoingMessage {
    OutgoingMessage(topic: topics.availability, payload: Array("offline".utf8), isRetained: true)
  }

  /// How the agent itself reaches its broker.
  func link() throws(MQTTError) -> Client.Configuration {
    var link = try client(id: "steps2mqtt-\(deviceID)")
    link.will = will
    link.keptPayload = Wire.Command.maximumSize + 1
    link.subscriptions = topics.subscriptions.map { Subscription($0) }
    return link
  }
}

/// Settings that are in use, and what their certificates held when they came into use.
struct SettingsInUse: Sendable {
  let values: Settings
  private let certificates: Int

  init(_ settings: Settings) {
    values = settings
    certificates = settings.mqtt.certificates
  }

  /// These, with everything of others that can change while the agent runs.
  func taking(_ new: Settings) -> SettingsInUse { SettingsInUse(values.taking(new)) }

  /// Whether the link to the broker has to be made anew, the content of certificates included.
  func concernsLink(differentlyFrom former: SettingsInUse) -> Bool {
    values.concernsLink(differentlyFrom: former.values) || certificates != former.certificates
  }
}

extension Settings.MQTT {
  /// A number that differs when the content of a certificate or a key does; it holds for this process only.
  fileprivate var certificates: Int {
    var hasher = Hasher()
    for path in [caFile, certificateFile, keyFile] where !path.isEmpty {
      hasher.combine(path)
      // One that cannot be read is the connection's to complain of.
      hasher.combine((try? SmallFile.read(path, limit: 1 << 20))?.bytes)
    }
    return hasher.finalize()
  }
}
