/// What the engine says about the samples it took, in the order in which it is certain of it.
public enum MotionEvent: Sendable, Equatable {
  /// One step, dated; the steps of a bout arrive together when it is confirmed, then one by one.
  case step(Step)
  /// The wearer paused or resumed.
  case pedometer(PedometerEvent)
  /// The activity changed.
  case activity(MotionActivity)
  /// A floor was climbed or descended; only where there is a barometer.
  case floor(Floor)
}

/// One counted step.
public struct Step: Sendable, Equatable {
  /// When the foot fell, in seconds on the samples' clock; at or before the sample that revealed it.
  public var time: Double
  /// The time that this step took, in seconds; the sum over a walk is its active time.
  public var duration: Float
  /// The estimated length of this step, in m.
  public var length: Float
  /// The smoothed cadence at this step, in steps/s.
  public var cadence: Float
  /// Whether the step was run rather than walked.
  public var isRunning: Bool

  /// Makes a step; times in s, length in m, cadence in steps/s.
  public init(time: Double, duration: Float, length: Float, cadence: Float, isRunning: Bool = false) {
    self.time = time
    self.duration = duration
    self.length = length
    self.cadence = cadence
    self.isRunning = isRunning
  }
}

/// A pause or a resumption of walking (CoreMotion's `CMPedometerEvent`).
public struct PedometerEvent: Sendable, Equatable {
  /// What happened.
  public enum Kind: Sendable, Equatable {
    /// Walking ended.
    case pause
    /// Walking began.
    case resume
  }

  /// Whether walking ended or began.
  public var kind: Kind
  /// When, in seconds on the samples' clock: the last step before a pause, the first step after it.
  public var time: Double

  /// Makes an event dated in seconds on the samples' clock.
  public init(kind: Kind, time: Double) {
    self.kind = kind
    self.time = time
  }
}
