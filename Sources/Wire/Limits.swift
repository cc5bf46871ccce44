/// What settings and commands may say of the wearer and the updates: one range each, wherever it is said.
public enum Limits {
  /// A mean step length, in m: shorter and longer ones are measured wrongly.
  public static let stepLength: ClosedRange<Double> = 0.2...2
  /// A wearer's height, in m.
  public static let height: ClosedRange<Double> = 0.5...2.5
  /// The time between two step records, in s.
  public static let updateInterval: ClosedRange<Double> = 0.1...3600
}
