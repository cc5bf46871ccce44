/// The engine: takes samples of an accelerometer, gives steps, pauses and activities.
///
/// A value of fixed size that never allocates; the same samples always give the same events.
public struct Pedometer: Sendable {
  /// What the engine should know about its wearer.
  public struct Configuration: Sendable, Equatable {
    /// The wearer's height, in m (0.5 to 2.5); step length is estimated from it.
    public var height: Float
    /// The wearer's measured mean step length, in m; nil to estimate it from height and cadence.
    public var stepLength: Float?

    /// Makes a configuration for a wearer of a height in m, and a step length in m where it is known.
    public init(height: Float = 1.70, stepLength: Float? = nil) {
      self.height = height
      self.stepLength = stepLength
    }
  }

  /// What the engine knows about its wearer; may change between samples.
  public var configuration: Configuration

  /// Makes an engine that has seen nothing.
  public init(_ configuration: Configuration = Configuration()) {
    self.configuration = configuration
  }

  private var resampler = Resampler()
  private var engine = Engine()
  private var latest = -Double.infinity

  /// Takes the next sample and emits what it reveals.
  ///
  /// Times may repeat, go back or jump: such samples are put right or dropped, and counted.
  public mutating func take(_ sample: AccelerometerSample, _ emit: (MotionEvent) -> Void) {
    guard sample.time > latest, sample.x.isFinite, sample.y.isFinite, sample.z.isFinite else { return }
    latest = sample.time
    if !resampler.take(time: sample.time, acceleration: SIMD3(sample.x, sample.y, sample.z)) {
      engine.interrupt(configuration, emit)
    }
    while let output = resampler.next() {
      engine.take(output, configuration, emit)
    }
  }

  /// Ends the signal: emits what was held back, as if the wearer had stopped at the last sample.
  public mutating func finish(_ emit: (MotionEvent) -> Void) {
    engine.finish(configuration, emit)
  }
}
