public import Motion
public import Wire

extension Machine {
  /// What the machine is told at its start, and again when the settings were read anew.
  public struct Configuration: Sendable, Equatable {
    /// Whether a session runs after a start of the agent.
    public enum Start: String, Sendable, CaseIterable {
      /// As it was when the agent ended.
      case last
      /// Yes.
      case always
      /// No.
      case never
    }

    /// When the sensor is open.
    public enum Counting: String, Sendable, CaseIterable {
      /// Only during a session.
      case whileStarted = "while_started"
      /// Always, as a phone does.
      case always
    }

    /// The device's topics.
    public var topics: Topics
    /// The device's name for people.
    public var name = ""
    /// The agent's version.
    public var version = "0.0.0"
    /// The libraries' versions, by name.
    public var libraries: [String: String] = [:]
    /// The boot id.
    public var boot: String
    /// What the clock shows at least that anybody has set, in ms since 1970: 1 January 2025, unless the host knows better.
    public var firstPossibleDate: Int64 = 1_735_689_600_000
    /// A number that differs at each start: random choices follow from it.
    public var seed: UInt64
    /// Whether a session runs after a start.
    public var start = Start.last
    /// When the sensor is open.
    public var counting = Counting.whileStarted
    /// How often step records are made while steps grow, in ms.
    public var updateInterval: Int64 = 1000
    /// What the engine knows about its wearer.
    public var wearer = Pedometer.Configuration()
    /// How far back `start` and `query` may reach, in days.
    public var historyDays = 7
    /// Settings that the command `configure` may change.
    public var configurable: Set<String> = [
      "tracking.update_interval_s", "wearer.height_m", "wearer.step_length_m",
    ]
    /// Beginnings of topics outside the root to which answers may go.
    public var responsePrefixes: [String] = []
    /// How the wearer's places are watched.
    public var places = Places()
    /// What a person is told; nil for nothing.
    public var notification: Notification?
    /// Whether a command must carry an id: through a bridge a stored command looks like a new one, save for its id.
    public var requiresID = false
    /// Records replayed a second; nil for as many as go.
    public var replayRate: Double? = 50
    /// The longest wait before a replay begins, in ms; a fleet must not come back all at once.
    public var replayDelay: Int64 = 5000
    /// Whether the agent leaves when the recording ended and everything was acknowledged.
    public var exitAtEnd = false

    /// Makes a configuration with the documented defaults.
    public init(topics: Topics, boot: String, seed: UInt64) {
      self.topics = topics
      self.boot = boot
      self.seed = seed
    }
  }
}
