import Motion

/// What the numbers of a text are written in.
public enum AccelerationUnit: String, Sendable, CaseIterable {
  /// Standard gravity: 1 at rest.
  case g
  /// Thousandths of it: 1000 at rest.
  case mg
  /// The SI's unit: 9.8 at rest.
  case metresPerSecondSquared = "m/s2"

  /// One of it in g.
  var inG: Float {
    switch self {
    case .g: 1
    case .mg: 0.001
    case .metresPerSecondSquared: Float(1 / AccelerometerSample.standardGravity)
    }
  }
}
