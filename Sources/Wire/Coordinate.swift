/// A place on the earth, in degrees of WGS 84.
public struct Coordinate: Sendable, Equatable {
  /// Degrees north of the equator, -90 to 90.
  public let latitude: Double
  /// Degrees east of Greenwich, -180 to 180.
  public let longitude: Double

  /// Makes a place; nil for what lies nowhere on the earth.
  public init?(latitude: Double, longitude: Double) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// Where somebody was found to be.
public struct Position: Sendable, Equatable {
  /// The place.
  public var coordinate: Coordinate
  /// The radius around it, in m, within which they are most likely to be; nil when nobody knows.
  public var accuracy: Double?

  /// Makes a position; an accuracy that is negative or no number is none.
  public init(_ coordinate: Coordinate, accuracy: Double?) {
    self.coordinate = coordinate
    self.accuracy = accuracy.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
  }
}
