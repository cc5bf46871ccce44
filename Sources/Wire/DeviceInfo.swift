/// The birth message: who the device is and what it can do.
public struct DeviceInfo: Sendable, Equatable {
  /// One thing that the device may be able to measure.
  public struct Capability: Sendable, Equatable {
    /// What: steps, distance, pace, cadence, floors, events, activity.
    public var name: String
    /// Nil when it can be measured, else why not; "unknown" before the sensor was tried.
    public var missing: String?

    /// Makes a capability that is there, or is missing for a reason.
    public init(_ name: String, missing: String? = nil) {
      self.name = name
      self.missing = missing
    }
  }

  /// Whether the agent may read the sensor.
  public enum Authorization: String, Sendable {
    /// It was not tried yet.
    case unknown
    /// It may.
    case authorized
    /// The system does not let it.
    case denied
    /// There is no sensor.
    case absent
  }

  /// The device's id.
  public var device: String
  /// The device's name for people; the id where it is empty.
  public var name: String
  /// The agent's version.
  public var version: String
  /// The versions of the libraries it runs with, by name.
  public var libraries: [String: String]
  /// The boot id.
  public var boot: String
  /// When the agent started, in ms since 1970.
  public var agentStart: Int64
  /// The epoch of its journal.
  public var epoch: String
  /// Whether a session runs, and since when, in ms since 1970.
  public var started: Bool, sessionStart: Int64?
  /// What can be measured.
  public var capabilities: [Capability]
  /// Whether the agent may read the sensor.
  public var authorization: Authorization
  /// The sensor's name; nil when there is none.
  public var sensor: String?
  /// The sensor's rate, in Hz; nil when unknown.
  public var rate: Double?
  /// The offset of the wearer's time zone from UTC, in s.
  public var zoneOffset: Int
  /// Settings that commands changed, by their names in the configuration.
  public var configured: [String: Double] = [:]
  /// Records that wait for the broker.
  public var outbox: Int

  /// Makes the birth message of a device; everything else is set by its name.
  public init(device: String, name: String, version: String, boot: String, epoch: String, agentStart: Int64) {
    self.device = device
    self.name = name
    self.version = version
    self.boot = boot
    self.epoch = epoch
    self.agentStart = agentStart
    libraries = [:]
    started = false
    capabilities = []
    authorization = .absent
    zoneOffset = 0
    outbox = 0
  }

  /// The payload of the `info` topic.
  public var json: [UInt8] {
    JSONText.object { text in
      text.member("v", 1)
      text.member("id", device)
      text.member("name", name.isEmpty ? device : name)
      text.member("version", version)
      text.member("libraries") { object in
        for (name, version) in libraries.sorted(by: { $0.key < $1.key }) { object.member(name, version) }
      }
      text.member("boot", boot)
      text.member("agent_start", moment: agentStart)
      text.member("epoch", epoch)
      text.member("started", started)
      text.member("session_start", moment: sessionStart)
      text.member("capabilities") { object in
        for capability in capabilities { object.member(capability.name, capability.missing ?? "available") }
      }
      text.member("authorization", authorization.rawValue)
      text.member("sensor", sensor)
      text.member("rate_hz", rate?.decimals(2))
      text.member("utc_offset_s", zoneOffset)
      text.member("configured") { object in
        for (name, value) in configured.sorted(by: { $0.key < $1.key }) { object.member(name, value) }
      }
      text.member("outbox", outbox)
    }
  }
}
