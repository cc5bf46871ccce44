/// The totals of an interval (CoreMotion's `CMPedometerData`); what cannot be measured is nil.
public struct PedometerData: Sendable, Equatable {
  /// The interval's start, in seconds.
  public var start: Double
  /// The interval's end, in seconds.
  public var end: Double
  /// The number of steps.
  public var steps: Int
  /// The distance on foot, in m.
  public var distance: Double?
  /// The time spent on foot, in s; CoreMotion has only the pace that follows from it.
  public var activeDuration: Double = 0
  /// The pace now, in s/m; nil while standing.
  public var currentPace: Double?
  /// The mean pace over the time spent on foot, in s/m.
  public var averageActivePace: Double?
  /// The cadence now, in steps/s; nil while standing.
  public var currentCadence: Double?
  /// Floors climbed, of about 3 m each; nil without a barometer.
  public var floorsAscended: Int?
  /// Floors descended, of about 3 m each; nil without a barometer.
  public var floorsDescended: Int?

  /// Makes totals of an interval given in seconds; everything else is unknown until it is set.
  public init(start: Double, end: Double, steps: Int = 0) {
    self.start = start
    self.end = end
    self.steps = steps
  }

  /// Adds a step, which ends the interval and is the cadence and pace of now.
  public mutating func add(_ step: Step) {
    steps += 1
    end = max(end, step.time)
    distance = (distance ?? 0) + Double(step.length)
    activeDuration += Double(step.duration)
    currentCadence = step.cadence > 0 ? Double(step.cadence) : nil
    currentPace = step.cadence > 0 && step.length > 0 ? 1 / Double(step.cadence * step.length) : nil
    if let distance, distance > 0 { averageActivePace = activeDuration / distance }
  }

  /// Adds a floor, which ends the interval if it is later.
  public mutating func add(_ floor: Floor) {
    end = max(end, floor.time)
    switch floor.direction {
    case .ascended: floorsAscended = (floorsAscended ?? 0) + 1
    case .descended: floorsDescended = (floorsDescended ?? 0) + 1
    }
  }

  /// A barometer is there: what it has not seen is 0 and not unknown.
  public mutating func beginFloors() {
    floorsAscended = floorsAscended ?? 0
    floorsDescended = floorsDescended ?? 0
  }

  /// The wearer stands: there is no cadence and no pace now.
  public mutating func pause() {
    currentCadence = nil
    currentPace = nil
  }
}
