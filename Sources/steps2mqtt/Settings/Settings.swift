/// Everything that can be set, with its default; `Schema` says how each value is written, checked and explained.
struct Settings: Sendable, Equatable {
  /// Who this device is.
  struct Device: Sendable, Equatable {
    /// The name in topics, or `auto` for one derived from the host.
    var id = "auto"
    /// The name for people; empty for the id.
    var name = ""
    /// The groups whose commands the device obeys.
    var groups: [String] = []
  }

  /// What the agent should know about its wearer.
  struct Wearer: Sendable, Equatable {
    /// In m.
    var height = 1.70
    /// In m; 0 for an estimate from height and cadence.
    var stepLength = 0.0
    /// How readily movements are taken for steps.
    enum Sensitivity: String, CaseIterable, Sendable {
      case low, normal, high
    }

    var sensitivity = Sensitivity.normal
  }

  /// When to count, and how often to say so.
  struct Tracking: Sendable, Equatable {
    /// What to do when the agent starts.
    enum Start: String, CaseIterable, Sendable {
      case last, always, never
    }

    /// When steps are counted.
    enum Counting: String, CaseIterable, Sendable {
      case whileStarted = "while_started"
      case always
    }

    var start = Start.last
    var counting = Counting.whileStarted
    /// The least time between two step updates, in s.
    var updateInterval = 1.0
    /// An IANA name such as `Europe/Berlin`; empty for the host's zone.
    var timeZone = ""
  }

  /// Where records are kept, and how many of them.
  struct Journal: Sendable, Equatable {
    var directory = "/var/lib/steps2mqtt"
    var maxBytes = 67_108_864
    var minFreeBytes = 33_554_432
    var historyDays = 7
    var unsentDays = 30
  }

  /// What Home Assistant sees.
  struct HomeAssistant: Sendable, Equatable {
    var enabled = true
    var prefix = "homeassistant"
  }

  /// What is written to standard error.
  struct Log: Sendable, Equatable {
    /// The least important kind of line that is written.
    enum Level: String, CaseIterable, Sendable {
      case error, warning, notice, info, debug
    }

    var level = Level.info
  }

  var device = Device()
  var mqtt = MQTT()
  var sensor = Sensor()
  var wearer = Wearer()
  var tracking = Tracking()
  var journal = Journal()
  var places = Places()
  var notification = Notification()
  var homeAssistant = HomeAssistant()
  var log = Log()
}
