/// One reading of a three-axis accelerometer, gravity included (CoreMotion's `CMAccelerometerData`).
public struct AccelerometerSample: Sendable, Equatable {
  /// What 1 g is in m/s²: the standard acceleration of free fall (CGPM 1901).
  public static var standardGravity: Double { 9.80665 }

  /// When the sample was taken, in seconds on a monotonic clock of the source's choice.
  public var time: Double
  /// Acceleration along the device's x axis, in g.
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
