import Motion

/// A recording `t,x,y,z` played as if it were a device.
///
/// At the end it begins again where `loop` is set: time goes on by one mean interval over the seam.
public struct RecordingSource<C: Clock>: AccelerometerSource where C.Duration == Duration {
  /// What is played, and how.
  public struct Configuration: Sendable, Equatable {
    /// The file: lines `t,x,y,z` in seconds and g.
    public var path: String
    /// How fast it is played.
    public var speed: PlaybackSpeed
    /// Whether it begins again at the end.
    public var loop: Bool

    /// Makes a configuration; by default a recording is played once, at its real rate.
    public init(path: String, speed: PlaybackSpeed = .times(1), loop: Bool = false) {
      self.path = path
      self.speed = speed
      self.loop = loop
    }
  }

  private let configuration: Configuration
  private let playback: Playback<C>

  /// Makes a source that waits by a clock and takes the boot time, in seconds, from a closure.
  public init(_ configuration: Configuration, clock: C, bootTime: @escaping @Sendable () -> Double) {
    self.configuration = configuration
    playback = Playback(speed: configuration.speed, clock: clock, bootTime: bootTime)
  }

  /// Plays the recording; throws where it cannot be read or holds no sample.
  public nonisolated(nonsending)
    func run(_ deliver: nonisolated(nonsending) (SensorEvent) async -> Void) async throws(SensorError)
  {
    var recording = try RecordedSamples(RecordingReader(path: configuration.path), loops: configuration.loop)
    let description = SensorDescription(
      kind: .recording, name: configuration.path, rate: recording.rate, pace: configuration.speed.pace,
      isSteady: false)
    try await playback.play(&recording, as: description, deliver)
  }
}

extension RecordingSource where C == ContinuousClock {
  /// Makes a source on the system's clock that has opened nothing yet.
  public init(_ configuration: Configuration) {
    self.init(configuration, clock: ContinuousClock(), bootTime: BootTime.now)
  }
}

extension RecordingReader {
  /// Looks at the beginning of a recording: its samples/s, and whether it has pressures.
  ///
  /// Throws where it cannot be read or holds no sample.
  public static func look(at path: String) throws(SensorError) -> (rate: Double?, hasPressures: Bool) {
    var samples = try RecordedSamples(RecordingReader(path: path), loops: false)
    guard try samples.next() != nil else { throw SensorError(.invalid, "\(path): holds no sample") }
    var hasPressures = samples.pressure != nil
    var count = 1
    while !hasPressures, count < 1000, try samples.next() != nil {
      hasPressures = samples.pressure != nil
      count += 1
    }
    return (samples.rate, hasPressures)
  }
}

/// The samples of a recording, over and over where it loops.
struct RecordedSamples: ~Copyable, SampleSequence {
  private var reader: RecordingReader
  private let loops: Bool
  private var block: [AccelerometerSample]
  private var index = 0
  private var pressureIndex = 0
  /// What is added to the times of this lap.
  private var offset = 0.0
  private var lap = Lap()

  /// The samples/s, from the median interval of the first hundred; nil where there are too few.
  let rate: Double?

  var faults: SensorFaults {
    var faults = SensorFaults()
    faults.malformed = reader.malformed
    return faults
  }

  init(_ recording: consuming RecordingReader, loops: Bool) throws(SensorError) {
    var reader = recording
    var block: [AccelerometerSample] = []
    while block.isEmpty, try reader.read(into: &block) {}
    self.reader = reader
    self.block = block
    self.loops = loops
    let intervals = zip(block, block.dropFirst()).prefix(100).map { $1.time - $0.time }.sorted()
    let median = intervals.isEmpty ? 0 : intervals[intervals.count / 2]
    rate = median > 0 ? 1 / median : nil
  }

  /// The pressure that was read with the sample given last, in Pa.
  private(set) var pressure: Float?

  mutating func next() throws(SensorError) -> AccelerometerSample? {
    pressure = nil
    while index == block.count {
      index = 0
      pressureIndex = 0
      guard try !reader.read(into: &block) else { continue }
      guard loops, lap.count > 0 else { return nil }
      offset += lap.length
      lap = Lap()
      try reader.rewind()
    }
    var sample = block[index]
    if pressureIndex < reader.pressures.count, reader.pressures[pressureIndex].index == index {
      pressure = reader.pressures[pressureIndex].pascals
      pressureIndex += 1
    }
    index += 1
    lap.take(sample.time)
    sample.time += offset
    return sample
  }
}

/// What one pass through a recording measures of it.
private struct Lap {
  var count = 0
  var first = 0.0
  var latest = 0.0

  /// From the first sample to where the first one of the next lap belongs: one mean interval after the latest.
  var length: Double {
    let interval = count > 1 ? (latest - first) / Double(count - 1) : 0
    return latest - first + (interval > 0 ? interval : 0.02)
  }

  mutating func take(_ time: Double) {
    if count == 0 {
      first = time
      latest = time
    }
    count += 1
    latest = max(latest, time)
  }
}
