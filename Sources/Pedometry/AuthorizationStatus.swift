/// Whether this process may read the sensor (CoreMotion's `CMAuthorizationStatus`).
///
/// On Linux the rights of files decide, and nobody is asked.
public enum AuthorizationStatus: Int, Sendable {
  /// There is no sensor that anything could be said about.
  case notDetermined
  /// Never given here.
  case restricted
  /// The files of the sensor cannot be read: `steps2mqtt check` names the udev rule that helps.
  case denied
  /// The sensor can be read.
  case authorized
}
