/// One reading of a barometer.
public struct PressureSample: Sendable, Equatable {
  /// The pressures that air on earth has where people walk, in Pa: other ones come of a wrong scale.
  public static var possible: ClosedRange<Float> { 20_000...120_000 }

  /// When it was taken, in seconds on the clock of the accelerometer's samples.
  public var time: Double
  /// The air's pressure, in Pa (1 hPa = 100 Pa).
  public var pressure: Float

  /// Makes a reading from a time in seconds and a pressure in Pa.
  public init(time: Double, pressure: Float) {
    self.time = time
    self.pressure = pressure
  }
}

/// One floor climbed or descended on foot.
public struct Floor: Sendable, Equatable {
  /// Which way.
  public enum Direction: Sendable, Equatable {
    /// Up.
    case ascended
    /// Down.
    case descended
  }

  /// When it was complete, in seconds on the samples' clock; some 15 s before it is known.
  public var time: Double
  /// Which way.
  public var direction: Direction

  /// Makes a floor of a direction, complete at a time in seconds.
  public init(time: Double, direction: Direction) {
    self.time = time
    self.direction = direction
  }
}
