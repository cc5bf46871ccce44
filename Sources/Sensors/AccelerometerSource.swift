public import Motion

/// Something that gives accelerations: a device, a recording, a stream of lines, a synthetic walker.
///
/// Opened, read and closed within `run`: there is nothing else to be closed or forgotten.
public protocol AccelerometerSource: Sendable {
  /// Opens the source and delivers what it gives, in order, until it ends or the task is cancelled.
  ///
  /// The source waits for each delivery. What was recorded, and lines in a pipe, then come at the consumer's pace and
  /// nothing is dropped; a live device goes on meanwhile, keeps a bounded number of samples, drops the oldest and
  /// says how many. Throws what opening again will not mend; a device that went away and may come back is reported
  /// as `lost` and waited for. A cancelled run returns without an error.
  nonisolated(nonsending)
    func run(_ deliver: nonisolated(nonsending) (SensorEvent) async -> Void) async throws(SensorError)
}

/// What a source says.
public enum SensorEvent: Sendable, Equatable {
  /// The source is open; samples will follow.
  case opened(SensorDescription)
  /// Samples in the order in which they were taken; never empty.
  case samples([AccelerometerSample])
  /// Pressures that were taken along with the samples; never empty.
  case pressures([PressureSample])
  /// The counts of what went wrong have grown; they are totals since the run began.
  case faults(SensorFaults)
  /// Something that a person should know once, such as a wrong scale, with what to do about it.
  case warning(String)
  /// The device is absent, not readable or silent, for a reason; the source goes on trying.
  case lost(SensorError)
  /// The device is back, maybe with another rate.
  case found(SensorDescription)
  /// The source has no more samples: the last event of a run.
  case ended
}

/// What a source is.
public struct SensorDescription: Sendable, Equatable {
  /// Which clock drives the consumer.
  public enum Pace: Sendable, Equatable {
    /// The samples come as time goes by: the time is that of CLOCK_BOOTTIME, or of the last sample where that is later
    /// (lines that are piped in faster than they were taken).
    case boot
    /// The samples come faster or slower than they were taken: the time is that of the last sample delivered.
    case samples
  }

  /// The kinds of sources, as `sensor.source` calls them.
  public enum Kind: String, Sendable {
    case iio, evdev, lines, serial, udp, mqtt, recording, synthetic

    /// Whether samples are played or computed, rather than measured now.
    public var isPlayed: Bool { self == .recording || self == .synthetic }
  }

  /// The kind of source.
  public var kind: Kind
  /// What it is, for a person: a path, the name of a chip and how it is read.
  public var name: String
  /// The nominal rate, in samples/s; nil where it is not known beforehand.
  public var rate: Double?
  /// Which clock drives the consumer.
  public var pace: Pace
  /// Whether silence is a fault: a recording may have been made with gaps, and one at its own pace may wait.
  public var isSteady: Bool
  /// What its sender was said to write in, where a person can be wrong about it; nil where a driver says so.
  public var unit: AccelerationUnit?

  /// Describes a source; the rate in samples/s.
  public init(
    kind: Kind, name: String, rate: Double? = nil, pace: Pace = .boot, isSteady: Bool? = nil,
    unit: AccelerationUnit? = nil
  ) {
    self.kind = kind
    self.name = name
    self.rate = rate
    self.pace = pace
    self.isSteady = isSteady ?? (pace == .boot)
    self.unit = unit
  }
}

/// How much of what a source gave was no good, since its run began.
public struct SensorFaults: Sendable, Equatable {
  /// The lines that were not samples.
  public var malformed = MalformedLines()
  /// How many samples a device left out, as the gaps between its time stamps show.
  public var missing = 0
  /// How many samples were dropped, oldest first, since the consumer did not keep up with a live device.
  public var overflowed = 0
  /// How many readings failed or gave what cannot be.
  public var failed = 0

  /// Makes counts of zero.
  public init() {}
}
