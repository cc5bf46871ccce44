/// What the app OwnTracks says over MQTT, as far as it concerns where its owner is.
///
/// The form is that of https://owntracks.org/booklet/tech/json/: `lat`, `lon` in degrees, `acc` in m, `tst` in s since 1970.
public enum OwnTracks: Sendable, Equatable {
  /// The phone says where it is.
  case location(Position, time: Int64)
  /// The phone says that it crossed the border of one of its own regions, by the region's name there.
  case transition(isEntering: Bool, region: String, Position?, time: Int64)
  /// The payload is encrypted with a key that only other phones have.
  case encrypted
  /// Something else: a will, a card, a list of regions.
  case other

  /// The largest payload that is looked at, in bytes.
  public static let maximumSize = 4096
  /// The times that can be true, in s since 1970: from 2010, the year of the app, to the end of four-digit years.
  private static let times: ClosedRange<Double> = 1_262_304_000...253_402_300_799

  /// Reads a payload; nil if it is none of the app's, or lacks what a position needs.
  ///
  /// Times are in ms since 1970.
  public init?(payload: [UInt8]) {
    guard payload.count <= Self.maximumSize, let json = JSONValue(json: payload, depth: 8),
      let type = json["_type"]?.text
    else { return nil }
    switch type {
    case "location":
      guard let position = Self.position(json), let time = Self.time(json) else { return nil }
      self = .location(position, time: time)
    case "transition":
      guard let event = json["event"]?.text, ["enter", "leave"].contains(event), let name = json["desc"]?.text,
        let time = Self.time(json)
      else { return nil }
      self = .transition(isEntering: event == "enter", region: name, Self.position(json), time: time)
    case "encrypted": self = .encrypted
    default: self = .other
    }
  }

  private static func position(_ json: JSONValue) -> Position? {
    guard let latitude = json["lat"]?.double, let longitude = json["lon"]?.double,
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else { return nil }
    return Position(coordinate, accuracy: json["acc"]?.double)
  }

  private static func time(_ json: JSONValue) -> Int64? {
    guard let seconds = json["tst"]?.double, times.contains(seconds) else { return nil }
    return Int64(seconds * 1000)
  }
}
