/// Where a receiver finds itself.
public struct LocationFix: Sendable, Equatable {
  /// Degrees of WGS 84 north of the equator.
  public var latitude: Double
  /// Degrees of WGS 84 east of Greenwich.
  public var longitude: Double
  /// The radius in m within which it most likely is; nil when the receiver does not tell.
  public var accuracy: Double?

  /// Makes a fix.
  public init(latitude: Double, longitude: Double, accuracy: Double?) {
    self.latitude = latitude
    self.longitude = longitude
    self.accuracy = accuracy
  }
}

/// What a source of positions says.
public enum LocationEvent: Sendable, Equatable {
  /// It can be reached; its name follows.
  case found(String)
  /// It knows where it is, now.
  case position(LocationFix)
  /// It cannot be reached, or has no receiver; it is tried again.
  case lost(SensorError)
}
