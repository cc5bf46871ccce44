/// A place with a border: a circle whose crossing starts or stops a session.
public struct Region: Sendable, Equatable {
  /// What crossing a border does to the session.
  public enum Action: String, Sendable, CaseIterable {
    /// Begins one, unless one runs.
    case start
    /// Ends the one that runs.
    case stop
    /// Nothing; the event tells of the crossing.
    case nothing = "none"
  }

  /// The most regions that a device watches.
  public static let limit = 32
  /// The radii that a region may have, in m: fixes are rarely better than 10 m.
  public static let radii: ClosedRange<Double> = 10...100_000
  /// The longest name, in characters.
  public static let longestName = 64

  /// Its name in topics and events, as a device's id.
  public var id: String
  /// Its name for people; the id where it is empty.
  public var name: String
  /// Its middle.
  public var center: Coordinate
  /// From the middle to the border, in m.
  public var radius: Double
  /// What entering does.
  public var enter: Action
  /// What leaving does.
  public var leave: Action

  /// Makes a region; unless said otherwise entering it starts a session and leaving it stops it.
  public init(
    id: String, name: String = "", center: Coordinate, radius: Double, enter: Action = .start, leave: Action = .stop
  ) {
    self.id = id
    self.name = name
    self.center = center
    self.radius = radius
    self.enter = enter
    self.leave = leave
  }

  /// The name for people.
  public var title: String { name.isEmpty ? id : name }
}

/// Why something is no region: what is wrong, and what would be right.
public struct RegionFault: Error, Sendable, Equatable {
  /// The words for a person.
  public let reason: String
}

extension Region {
  /// Reads a region as configuration and commands write it: `id`, `name`, `latitude`, `longitude`, `radius_m`, `enter`,
  /// `leave`; the names may be left out, and what crossing does.
  public init(members: [String: JSONValue]) throws(RegionFault) {
    let known = ["id", "name", "latitude", "longitude", "radius_m", "enter", "leave"]
    if let stranger = members.keys.sorted().first(where: { !known.contains($0) }) {
      throw RegionFault(reason: "'\(stranger.prefix(40))' is none of \(known.joined(separator: ", "))")
    }
    guard let id = members["id"]?.text, Topics.isID(id) else {
      throw RegionFault(reason: "id must be 1 to 64 of the characters A-Z a-z 0-9 _ -")
    }
    let name = try Self.word(members["name"]) ?? ""
    guard name.count <= Self.longestName, name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { throw RegionFault(reason: "name must be a line of at most \(Self.longestName) characters") }
    let latitude = try Self.number("latitude", in: -90...90, members)
    let longitude = try Self.number("longitude", in: -180...180, members)
    let radius = try Self.number("radius_m", in: Self.radii, members)
    guard let center = Coordinate(latitude: latitude, longitude: longitude) else {
      throw RegionFault(reason: "latitude and longitude name no place")
    }
    self.init(
      id: id, name: name, center: center, radius: radius, enter: try Self.action("enter", members) ?? .start,
      leave: try Self.action("leave", members) ?? .stop)
  }

  /// Reads the list of regions of a command.
  public static func list(_ value: JSONValue) throws(RegionFault) -> [Region] {
    guard case .array(let values) = value else { throw RegionFault(reason: "regions are a list") }
    var regions: [Region] = []
    for value in values {
      guard case .object(let members) = value else { throw RegionFault(reason: "a region is an object") }
      regions.append(try Region(members: members))
    }
    if let fault = fault(in: regions) { throw fault }
    return regions
  }

  /// What is wrong with regions that are right each by itself; nil if nothing.
  public static func fault(in regions: [Region]) -> RegionFault? {
    if regions.count > limit { return RegionFault(reason: "\(regions.count) regions are more than \(limit)") }
    var seen: Set<String> = []
    if let twice = regions.first(where: { !seen.insert($0.id).inserted }) {
      return RegionFault(reason: "two regions have the id '\(twice.id)'")
    }
    return nil
  }

  private static func word(_ value: JSONValue?) throws(RegionFault) -> String? {
    switch value {
    case .none, .null: return nil
    case .string(let text): return text
    case .some: throw RegionFault(reason: "name must be text")
    }
  }

  private static func number(
    _ key: String, in range: ClosedRange<Double>, _ members: [String: JSONValue]
  ) throws(RegionFault) -> Double {
    guard let number = members[key]?.double, range.contains(number) else {
      throw RegionFault(reason: "\(key) must be a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))")
    }
    return number
  }

  private static func action(_ key: String, _ members: [String: JSONValue]) throws(RegionFault) -> Action? {
    switch members[key] {
    case .none, .null: return nil
    case .some(let value):
      if let action = value.text.flatMap(Action.init) { return action }
      throw RegionFault(reason: "\(key) must be start, stop or none")
    }
  }
}

extension Region: JSONWritable {
  /// Appends the region as an object that `init(members:)` reads back.
  public func write(to text: inout JSONText) { text.object { add(to: &$0) } }

  /// Adds the region's members.
  public func add(to object: inout JSONText) {
    object.member("id", id)
    object.member("name", name)
    object.member("latitude", center.latitude)
    object.member("longitude", center.longitude)
    object.member("radius_m", radius)
    object.member("enter", enter.rawValue)
    object.member("leave", leave.rawValue)
  }
}
