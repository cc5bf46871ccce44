internal import Motion

// What can be measured is asked of the standard device, as CoreMotion asks the phone's own.
extension Pedometer {
  /// Whether steps can be counted.
  public static func isStepCountingAvailable() -> Bool { can(.steps) }
  /// Whether distance can be told.
  public static func isDistanceAvailable() -> Bool { can(.distance) }
  /// Whether floors can be counted: there is a barometer.
  public static func isFloorCountingAvailable() -> Bool { can(.floors) }
  /// Whether pace can be told.
  public static func isPaceAvailable() -> Bool { can(.pace) }
  /// Whether cadence can be told.
  public static func isCadenceAvailable() -> Bool { can(.cadence) }
  /// Whether pauses can be told.
  public static func isPedometerEventTrackingAvailable() -> Bool { can(.events) }
  /// Whether this process may read the sensor.
  public static func authorizationStatus() -> AuthorizationStatus { MotionDevice.standard.authorization }

  private static func can(_ capability: Capabilities.Capability) -> Bool {
    MotionDevice.standard.capabilities[capability] == .available
  }
}
