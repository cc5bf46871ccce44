internal import Motion

/// What the wearer is doing (CoreMotion's `CMMotionActivity`).
///
/// The flags do not exclude one another: a car at a red light is automotive and stationary.
public struct MotionActivity: Sendable, Equatable {
  /// How far an estimate can be trusted (CoreMotion's `CMMotionActivityConfidence`).
  public enum Confidence: Int, Sendable {
    /// Barely better than a guess.
    case low
    /// Probably right.
    case medium
    /// Almost certainly right.
    case high
  }

  private let flags: Motion.MotionActivity.Flags
  /// How far the estimate can be trusted.
  public let confidence: Confidence
  /// When the activity began.
  public let startDate: Date

  init(_ activity: Motion.MotionActivity, startDate: Date) {
    flags = activity.flags
    confidence =
      switch activity.confidence {
      case .low: .low
      case .medium: .medium
      case .high: .high
      }
    self.startDate = startDate
  }

  /// The device does not move.
  public var stationary: Bool { flags.contains(.stationary) }
  /// The wearer walks.
  public var walking: Bool { flags.contains(.walking) }
  /// The wearer runs.
  public var running: Bool { flags.contains(.running) }
  /// The device is in a vehicle.
  public var automotive: Bool { flags.contains(.automotive) }
  /// The wearer rides a bicycle.
  public var cycling: Bool { flags.contains(.cycling) }
  /// There is no estimate.
  public var unknown: Bool { flags.isEmpty }
}

/// Takes an activity; nil where there is no sensor to tell it by.
public typealias MotionActivityHandler = @Sendable (MotionActivity?) -> Void
/// Takes the activities of an interval, or why they cannot be said.
public typealias MotionActivityQueryHandler = @Sendable ([MotionActivity]?, (any Error)?) -> Void
