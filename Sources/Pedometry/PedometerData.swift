internal import Motion

/// What was walked from one date to another (CoreMotion's `CMPedometerData`).
///
/// Numbers are `NSNumber`s, as in CoreMotion, and nil where they cannot be measured.
public struct PedometerData: Sendable, Equatable {
  private let values: Motion.PedometerData

  /// From totals whose times are in seconds since 1970.
  init(_ values: Motion.PedometerData) { self.values = values }

  /// The beginning of the interval.
  public var startDate: Date { Date(timeIntervalSince1970: values.start) }
  /// Its end.
  public var endDate: Date { Date(timeIntervalSince1970: values.end) }
  /// The number of steps.
  public var numberOfSteps: NSNumber { NSNumber(value: values.steps) }
  /// The distance on foot, in m.
  public var distance: NSNumber? { values.distance.map { NSNumber(value: $0) } }
  /// The mean pace over the time on foot, in s/m.
  public var averageActivePace: NSNumber? { values.averageActivePace.map { NSNumber(value: $0) } }
  /// The pace now, in s/m; nil while standing, and in the answer to a query.
  public var currentPace: NSNumber? { values.currentPace.map { NSNumber(value: $0) } }
  /// The cadence now, in steps/s; nil while standing, and in the answer to a query.
  public var currentCadence: NSNumber? { values.currentCadence.map { NSNumber(value: $0) } }
  /// Floors climbed, of 3 m each; nil without a barometer.
  public var floorsAscended: NSNumber? { values.floorsAscended.map { NSNumber(value: $0) } }
  /// Floors descended, of 3 m each; nil without a barometer.
  public var floorsDescended: NSNumber? { values.floorsDescended.map { NSNumber(value: $0) } }
}

/// Takes what was walked, or why it cannot be said.
public typealias PedometerHandler = @Sendable (PedometerData?, (any Error)?) -> Void

/// A pause or a resumption of walking (CoreMotion's `CMPedometerEvent`).
public struct PedometerEvent: Sendable, Equatable {
  /// What happened (CoreMotion's `CMPedometerEventType`).
  public enum Kind: Int, Sendable {
    /// Walking ended.
    case pause
    /// Walking began.
    case resume
  }

  /// When: the last step before a pause, the first step after it.
  public let date: Date
  /// Whether walking ended or began.
  public let type: Kind

  init(date: Date, type: Kind) {
    self.date = date
    self.type = type
  }
}

/// Takes a pause or a resumption, or why there will be none.
public typealias PedometerEventHandler = @Sendable (PedometerEvent?, (any Error)?) -> Void
