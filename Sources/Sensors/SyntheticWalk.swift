public import Motion

/// A walker made of formulas: accelerations at any time, and the true times of its steps.
///
/// A pure value: the same configuration gives the same walk, at whatever times and rate it is sampled. It has what
/// makes real walks hard to count: step intervals that vary, a left and a right that differ, weak first and last steps,
/// gait harmonics and heel strikes, an arm or a thigh that swings and turns gravity about, turns, fidgeting while
/// standing, a device that shifts, and noise. It is a model for tests and demonstrations and no replacement for
/// recordings of people.
public struct SyntheticWalk: Sendable {
  /// What the walker does for a while.
  public struct Segment: Sendable, Equatable {
    /// A kind of motion.
    public enum Activity: Sendable, Equatable {
      /// Stands, sways and fidgets.
      case standing
      /// Walks.
      case walking
      /// Runs.
      case running
      /// Pedals, coasts now and then: no steps.
      case cycling
      /// Sits in a vehicle: no steps.
      case riding
    }

    /// What is done.
    public var activity: Activity
    /// For how long, in seconds.
    public var seconds: Double
    /// How fast: steps/s, for cycling half-turns of the crank a second; of no meaning otherwise.
    public var cadence: Double

    /// Stands for some seconds.
    public static func standing(_ seconds: Double) -> Segment {
      Segment(activity: .standing, seconds: seconds, cadence: 0)
    }
    /// Walks for some seconds, at a cadence in steps/s.
    public static func walking(_ seconds: Double, cadence: Double = 1.85) -> Segment {
      Segment(activity: .walking, seconds: seconds, cadence: cadence)
    }
    /// Runs for some seconds, at a cadence in steps/s.
    public static func running(_ seconds: Double, cadence: Double = 2.7) -> Segment {
      Segment(activity: .running, seconds: seconds, cadence: cadence)
    }
    /// Cycles for some seconds, at a cadence in half-turns of the crank a second.
    public static func cycling(_ seconds: Double, cadence: Double = 2.4) -> Segment {
      Segment(activity: .cycling, seconds: seconds, cadence: cadence)
    }
    /// Rides in a vehicle for some seconds.
    public static func riding(_ seconds: Double) -> Segment {
      Segment(activity: .riding, seconds: seconds, cadence: 0)
    }
  }

  /// Where the device is worn.
  public enum Placement: Sendable, Equatable, CaseIterable {
    /// On the wrist of a swinging arm.
    case wrist
    /// In a trouser pocket, on the thigh.
    case pocket
    /// On the belt.
    case waist
    /// In a hand held still, before the body.
    case hand
  }

  /// What the walk is like.
  public struct Configuration: Sendable, Equatable {
    /// What is done, one after the other.
    public var segments: [Segment]
    /// Where the device is worn.
    public var placement: Placement
    /// What everything random follows from.
    public var seed: UInt64
    /// The sensor's noise, in g rms on each axis.
    public var noise: Float
    /// How much step intervals vary from step to step, as a part of the interval.
    public var variability: Double
    /// By how much of its interval a right step is late, and by three times as much weaker than a left one.
    public var asymmetry: Double
    /// A factor on the body's accelerations: below 1 for a soft walker.
    public var vigour: Double

    /// Makes a configuration; variability and asymmetry are those of healthy adults (about 3 % and 2 %).
    public init(
      segments: [Segment] = SyntheticWalk.demonstration, placement: Placement = .waist, seed: UInt64 = 1,
      noise: Float = 0.01, variability: Double = 0.03, asymmetry: Double = 0.02, vigour: Double = 1
    ) {
      self.segments = segments
      self.placement = placement
      self.seed = seed
      self.noise = noise
      self.variability = variability
      self.asymmetry = asymmetry
      self.vigour = vigour
    }
  }

  /// A walk with pauses, the first of them within ten seconds, and a run: what the demonstration shows.
  public static let demonstration: [Segment] = [
    .standing(1), .walking(7), .standing(3), .walking(12), .standing(4), .walking(20, cadence: 1.95), .standing(6),
    .running(15), .standing(8), .walking(30, cadence: 1.75), .standing(14),
  ]

  /// What the walk is like.
  public let configuration: Configuration
  /// When the feet fall, in seconds from the beginning: the truth that a count is measured by.
  public var steps: [Double] { bouts.flatMap { $0.steps.map(\.time) } }
  /// How long the walk is, in seconds.
  public let duration: Double

  let bouts: [SyntheticBout]
  let attitude: SyntheticAttitude
  let sway: SyntheticSway

  /// Makes a walk.
  public init(_ configuration: Configuration = Configuration()) {
    self.configuration = configuration
    duration = configuration.segments.reduce(0) { $0 + max($1.seconds, 0) }
    var random = SplitMix(seed: configuration.seed)
    bouts = SyntheticBout.schedule(configuration, using: &random)
    attitude = SyntheticAttitude(duration: duration, resting: bouts, using: &random)
    sway = SyntheticSway(using: &random)
  }

  /// The samples at a rate in samples/s, from time 0 to the end, with the sensor's noise.
  public func samples(rate: Double) -> Samples {
    Samples(walk: self, rate: rate)
  }

  /// Samples of a walk, one after the other.
  public struct Samples: Sequence, IteratorProtocol, Sendable {
    let walk: SyntheticWalk
    let rate: Double
    private var count = 0
    private var random: SplitMix

    init(walk: SyntheticWalk, rate: Double) {
      self.walk = walk
      self.rate = rate
      random = SplitMix(seed: ~walk.configuration.seed)
    }

    /// The next sample; nil at the end of the walk.
    public mutating func next() -> AccelerometerSample? {
      let time = Double(count) / rate
      guard time < walk.duration else { return nil }
      count += 1
      let value = walk.acceleration(at: time)
      let noise = Double(walk.configuration.noise)
      return AccelerometerSample(
        time: time, x: Float(value.x + random.normal(noise)), y: Float(value.y + random.normal(noise)),
        z: Float(value.z + random.normal(noise)))
    }
  }
}
