extension Settings {
  /// How the broker is reached, and what passes through it.
  struct MQTT: Sendable, Equatable {
    /// The version of the protocol.
    enum Version: String, CaseIterable, Sendable {
      case v5 = "5"
      case v311 = "3.1.1"
    }

    /// URLs `mqtt://host:port` or `mqtts://host:port`, tried in turn.
    var brokers = ["mqtt://localhost:1883"]
    var root = "steps2mqtt"
    var version = Version.v5
    /// In s.
    var keepalive = 30
    /// How long the broker keeps commands for a device that is away, in s.
    var sessionExpiry = 86_400
    var username = ""
    var passwordFile = ""
    /// Read from `passwordFile` or the environment, never from the configuration itself.
    var password = Secret()
    var caFile = ""
    var certificateFile = ""
    var keyFile = ""
    /// Topics outside the root to which answers may go.
    var responsePrefixes: [String] = []
    /// Whether a command must carry an id.
    var requiresID = false
    /// How fast what was missed is sent again, in records/s; 0 for as fast as the broker takes it.
    var replayRate = 50.0
    /// The most that a replay waits before it begins, in s; the wait is random.
    var replayDelay = 5.0
  }
}

/// A value that must not be shown: it prints as `•••`, wherever it is printed.
struct Secret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The value itself, for the one place that needs it.
  let text: String

  /// Makes a secret; an empty one means that there is none.
  init(_ text: String = "") { self.text = text }

  var isEmpty: Bool { text.isEmpty }
  var description: String { isEmpty ? "(none)" : "•••" }
  var debugDescription: String { description }
  var customMirror: Mirror { Mirror(self, children: []) }
}
