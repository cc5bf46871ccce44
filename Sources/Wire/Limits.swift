internal import Motion

/// What settings and commands may say of the wearer and the updates: one range each, wherever it is said.
public enum Limits {
  /// A mean step length, in m.
  public static let stepLength = Pedometer.Configuration.stepLengths
  /// A wearer's height, in m.
  public static let height = Pedometer.Configuration.heights
  /// The time between two step records, in s.
  public static let updateInterval: ClosedRange<Double> = 0.1...3600
}
