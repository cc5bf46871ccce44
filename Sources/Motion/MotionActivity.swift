/// What the wearer is doing (CoreMotion's `CMMotionActivity`).
///
/// The flags do not exclude one another: a car at a red light is automotive and stationary. No flag means unknown.
public struct MotionActivity: Sendable, Equatable {
  /// A set of activities that hold at once.
  public struct Flags: OptionSet, Sendable, Hashable {
    /// One bit an activity.
    public var rawValue: UInt8
    /// Makes a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The device does not move.
    public static let stationary = Flags(rawValue: 1)
    /// The wearer walks.
    public static let walking = Flags(rawValue: 2)
    /// The wearer runs.
    public static let running = Flags(rawValue: 4)
    /// The wearer rides a bicycle.
    public static let cycling = Flags(rawValue: 8)
    /// The device is in a vehicle.
    public static let automotive = Flags(rawValue: 16)
  }

  /// The one activity that describes a moment best.
  public enum Kind: String, Sendable, CaseIterable {
    /// No estimate yet, or none that holds.
    case unknown
    /// The device does not move.
    case stationary
    /// The wearer walks.
    case walking
    /// The wearer runs.
    case running
    /// The wearer rides a bicycle.
    case cycling
    /// The device is in a vehicle.
    case automotive
  }

  /// How far an estimate can be trusted.
  public enum Confidence: String, Sendable, CaseIterable {
    /// Barely better than a guess.
    case low
    /// Probably right.
    case medium
    /// Almost certainly right.
    case high
  }

  /// All activities that hold.
  public var flags: Flags
  /// How far the estimate can be trusted.
  public var confidence: Confidence
  /// When the activity began, in seconds on the samples' clock.
  public var start: Double

  /// Makes an activity that began at a time in seconds on the samples' clock.
  public init(_ flags: Flags, confidence: Confidence, start: Double) {
    self.flags = flags
    self.confidence = confidence
    self.start = start
  }

  /// The one activity to show: what moves the wearer wins over stationary.
  public var kind: Kind {
    if flags.contains(.running) { return .running }
    if flags.contains(.walking) { return .walking }
    if flags.contains(.cycling) { return .cycling }
    if flags.contains(.automotive) { return .automotive }
    if flags.contains(.stationary) { return .stationary }
    return .unknown
  }
}
