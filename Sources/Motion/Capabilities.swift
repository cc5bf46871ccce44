/// What a device can measure, and why it cannot measure the rest (CoreMotion's `isStepCountingAvailable` and so on).
///
/// Nothing is claimed of a sensor of which nothing is known yet.
public struct Capabilities: Sendable, Equatable {
  /// One thing that may be measured.
  public enum Capability: String, Sendable, CaseIterable {
    /// The number of steps.
    case steps
    /// The distance on foot.
    case distance
    /// The time for a metre.
    case pace
    /// Steps a second.
    case cadence
    /// Floors climbed and descended.
    case floors
    /// Pauses and resumptions.
    case events
    /// Standing, walking, running, riding.
    case activity
  }

  /// Whether something can be measured.
  public enum Availability: String, Sendable {
    /// It can.
    case available
    /// Nobody knows: the sensor was not opened yet.
    case unknown
    /// There is no accelerometer, or it gives nothing.
    case noSensor = "no sensor"
    /// There is a sensor that may not be read.
    case noRights = "no rights"
    /// The accelerometer gives fewer samples than counting takes.
    case rateTooLow = "rate too low"
    /// There is no barometer, or it gives nothing.
    case noBarometer = "no barometer"
  }

  /// What is known of a sensor.
  public enum Sensor: Sendable, Equatable {
    /// Nothing yet.
    case unknown
    /// It is not there, or gives nothing.
    case absent
    /// It is there and may not be read.
    case denied
    /// It gives samples, at a rate in samples/s where that is known.
    case present(rate: Double?)
  }

  /// The slowest rate, in samples/s, at which steps can be counted: two samples for each half of a quick step.
  public static let slowestRate = 10.0

  /// What is known of the accelerometer.
  public var accelerometer: Sensor
  /// What is known of the barometer.
  public var barometer: Sensor

  /// Makes what follows from two sensors; by default nothing is known of them.
  public init(accelerometer: Sensor = .unknown, barometer: Sensor = .unknown) {
    self.accelerometer = accelerometer
    self.barometer = barometer
  }

  /// Whether something can be measured, and why not.
  public subscript(_ capability: Capability) -> Availability {
    let steps = ofSteps
    guard capability == .floors else { return steps }
    // Floors need both; what is known to be missing decides.
    switch barometer {
    case .absent: return .noBarometer
    case .denied: return .noRights
    case .unknown: return steps == .available ? .unknown : steps
    case .present: return steps
    }
  }

  private var ofSteps: Availability {
    switch accelerometer {
    case .unknown: .unknown
    case .absent: .noSensor
    case .denied: .noRights
    case .present(let rate?) where rate < Capabilities.slowestRate: .rateTooLow
    case .present: .available
    }
  }
}
