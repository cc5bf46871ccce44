/// How lines are written and how they come, whatever way they take.
public struct LineConfiguration: Sendable, Equatable {
  /// What the accelerations are in.
  public var unit: AccelerationUnit
  /// The rate at which lines without a time are taken to come until they show their own, in samples/s.
  public var rate: Double
  /// After so long without a line the sender is taken for lost.
  public var silence: Duration

  /// Makes a configuration; by default lines are in g, and five seconds without one are a loss.
  public init(unit: AccelerationUnit = .g, rate: Double = 50, silence: Duration = .seconds(5)) {
    self.unit = unit
    self.rate = rate
    self.silence = silence
  }

  var format: SampleDecoder.Format {
    SampleDecoder.Format(time: .milliseconds, mayLackTime: true, unit: unit, strongest: 100_000)
  }
}
