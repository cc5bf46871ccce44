/// The device's vital signs.
public struct DeviceHealth: Sendable, Equatable {
  /// When they were taken, in ms since 1970.
  public var time: Int64
  /// How long the agent runs, in s.
  public var uptime: Int64
  /// Resident memory of the process, in bytes; nil when it cannot be read.
  public var residentBytes: Int?
  /// Samples a second since the last report; nil before the first.
  public var sampleRate: Double?
  /// Samples that the source could not read or had to drop, since the start.
  public var samplesDropped: Int
  /// Samples that the device left out, since the start.
  public var samplesMissing = 0
  /// The holes in the signal since the sensor was opened.
  public var signalGaps = 0
  /// What is wrong with the signal.
  public var degradation: [SignalFault] = []
  /// How often the sensor was lost, since the start.
  public var sensorLosses = 0
  /// Records that wait for the broker.
  public var outbox: Int
  /// Records in memory that are not on disk yet.
  public var unsaved: Int
  /// Records the broker refused for good, since the start.
  public var parked: Int
  /// Records that memory could not hold while the disk refused them, since the start.
  public var lost: Int
  /// Connections made after the first.
  public var reconnects: Int
  /// Commands that were refused for coming too fast, since the start.
  public var commandsRefused: Int
  /// Whether the source of positions works: `ok`, or what is wrong; nil when there is none.
  public var location: String?
  /// Positions that were too old, too coarse or malformed, since the start; nil when there is no source of positions.
  public var positionsIgnored: Int?
  /// What is wrong with what the sensor gives; nil when nothing is known.
  public var sensorWarning: String?
  /// Nil while the journal works, else what is wrong.
  public var journalFault: String?
  /// Nil while the broker takes everything, else what it refuses.
  public var brokerFault: String?
  /// "ok" while the barometer works, else what is wrong with it; nil without one.
  public var barometer: String?

  /// Makes the vital signs of an agent that has just started.
  public init(time: Int64, uptime: Int64) {
    self.time = time
    self.uptime = uptime
    (samplesDropped, outbox, unsaved, parked, lost, reconnects, commandsRefused) = (0, 0, 0, 0, 0, 0, 0)
  }

  /// The payload of the `health` topic.
  public var json: [UInt8] {
    JSONText.object { text in
      text.member("v", 1)
      text.member("ts", moment: time)
      text.member("uptime_s", uptime)
      text.member("memory_bytes", residentBytes)
      text.member("sample_rate_hz", sampleRate?.decimals(1))
      text.member("samples_dropped", samplesDropped)
      text.member("samples_missing", samplesMissing)
      text.member("signal", degradation.isEmpty ? "ok" : degradation.text)
      text.member("signal_gaps", signalGaps)
      text.member("sensor_losses", sensorLosses)
      text.member("outbox", outbox)
      text.member("unsaved", unsaved)
      text.member("parked", parked)
      text.member("lost", lost)
      text.member("reconnects", reconnects)
      text.member("commands_refused", commandsRefused)
      text.member("location", location)
      text.member("positions_ignored", positionsIgnored)
      text.member("sensor_warning", sensorWarning)
      text.member("journal", journalFault ?? "ok")
      text.member("broker", brokerFault ?? "ok")
      text.member("barometer", barometer)
    }
  }
}
