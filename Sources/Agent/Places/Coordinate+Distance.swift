internal import Glibc
public import Wire

extension Coordinate {
  /// The mean radius of the earth, in m.
  ///
  /// R1 of the IUGG (Moritz, Geodetic Reference System 1980, Journal of Geodesy 74, 2000).
  private static let earthRadius = 6_371_008.8

  /// The distance to another place along the surface, in m.
  ///
  /// By the haversine (Sinnott, Virtues of the Haversine, Sky and Telescope 68, 1984), which is exact for near places
  /// and knows no trouble at the poles or the date line. On the ellipsoid the true distance differs by at most 0.6 %:
  /// 60 cm for a radius of 100 m, far below what a fix can tell.
  public func distance(to other: Coordinate) -> Double {
    let degree = Double.pi / 180
    let north = sin((other.latitude - latitude) * degree / 2)
    let east = sin((other.longitude - longitude) * degree / 2)
    let haversine = north * north + cos(latitude * degree) * cos(other.latitude * degree) * east * east
    return 2 * Self.earthRadius * asin(min(1, haversine.squareRoot()))
  }
}
