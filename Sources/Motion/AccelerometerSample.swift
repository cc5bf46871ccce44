/// One reading of a three-axis accelerometer, gravity included (CoreMotion's `CMAccelerometerData`).
public struct AccelerometerSample: Sendable, Equatable {
  /// When the sample was taken, in seconds on a monotonic clock of the source's choice.
  public var time: Double
  /// Acceleration along the device's x axis, in g (1 g = 9.80665 m/s²).
  public var x: Float
  /// Acceleration along the device's y axis, in g.
  public var y: Float
  /// Acceleration along the device's z axis, in g.
  public var z: Float

  /// Makes a sample from a time in seconds and three accelerations in g.
  public init(time: Double, x: Float, y: Float, z: Float) {
    self.time = time
    self.x = x
    self.y = y
    self.z = z
  }
}
