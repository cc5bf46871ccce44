import Motion

/// A synthetic walk played as if it were a device.
public struct SyntheticSource<C: Clock>: AccelerometerSource where C.Duration == Duration {
  /// What is played, and how.
  public struct Configuration: Sendable, Equatable {
    /// The walk.
    public var walk: SyntheticWalk.Configuration
    /// The rate, in samples/s.
    public var rate: Double
    /// How fast it is played.
    public var speed: PlaybackSpeed
    /// Whether it begins again at the end.
    public var loop: Bool

    /// Makes a configuration; by default the demonstration's walk at 50 samples/s, once, in real time.
    public init(
      walk: SyntheticWalk.Configuration = .init(), rate: Double = 50, speed: PlaybackSpeed = .times(1),
      loop: Bool = false
    ) {
      self.walk = walk
      self.rate = rate
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

  /// Plays the walk; throws where it has no length.
  public nonisolated(nonsending)
    func run(_ deliver: nonisolated(nonsending) (SensorEvent) async -> Void) async throws(SensorError)
  {
    let walk = SyntheticWalk(configuration.walk)
    var samples = SyntheticSamples(walk, rate: configuration.rate, loops: configuration.loop)
    let description = SensorDescription(
      kind: .synthetic, name: "a synthetic walk from seed \(configuration.walk.seed)", rate: configuration.rate,
      pace: configuration.speed.pace)
    try await playback.play(&samples, as: description, deliver)
  }
}

extension SyntheticSource where C == ContinuousClock {
  /// Makes a source on the system's clock.
  public init(_ configuration: Configuration = Configuration()) {
    self.init(configuration, clock: ContinuousClock(), bootTime: BootTime.now)
  }
}

/// The samples of a walk, over and over where it loops.
private struct SyntheticSamples: SampleSequence {
  let walk: SyntheticWalk
  let loops: Bool
  private var samples: SyntheticWalk.Samples
  private var count = 0

  var faults: SensorFaults { SensorFaults() }
  var pressure: Float? { nil }

  init(_ walk: SyntheticWalk, rate: Double, loops: Bool) {
    self.walk = walk
    self.loops = loops
    samples = walk.samples(rate: rate)
  }

  mutating func next() throws(SensorError) -> AccelerometerSample? {
    var sample = samples.next()
    if sample == nil, loops, count > 0 {
      samples = walk.samples(rate: samples.rate)
      sample = samples.next()
    }
    sample?.time = Double(count) / samples.rate
    count += 1
    return sample
  }
}
