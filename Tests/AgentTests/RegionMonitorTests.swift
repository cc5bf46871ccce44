import AgentTesting
import Testing
import Wire

@testable import Agent

@Suite struct DistanceTests {
  /// Pairs of places and their distance on the ellipsoid, in m, by Vincenty's inverse formula on WGS 84.
  @Test(arguments: [
    // One degree of latitude at the equator and at the pole, and one of longitude at the equator.
    (0.0, 0.0, 1.0, 0.0, 110_574.4), (89, 0, 90, 0, 111_693.9), (0, 0, 0, 1, 111_319.5),
    // Across the date line.
    (0, 179.9995, 0, -179.9995, 111.3), (-17, 179.9995, -17, -179.9995, 106.5),
    // Across the pole: 0.0005 degrees on either side.
    (89.9995, 0, 89.9995, 180, 111.7), (-89.9995, 90, -89.9995, -90, 111.7),
    // At the pole every longitude is the same place.
    (90, 0, 90, 123, 0),
    // Berlin to Paris.
    (52.5163, 13.3777, 48.8584, 2.2945, 881_329.9),
  ])
  func `the distance is within 0.6 % of the ellipsoid's`(
    latitude: Double, longitude: Double, otherLatitude: Double, otherLongitude: Double, metres: Double
  ) throws {
    let one = try #require(Coordinate(latitude: latitude, longitude: longitude))
    let other = try #require(Coordinate(latitude: otherLatitude, longitude: otherLongitude))
    #expect(abs(one.distance(to: other) - metres) <= metres * 0.006 + 0.05, "\(one.distance(to: other))")
    #expect(one.distance(to: other) == other.distance(to: one))
  }
}

@Suite struct RegionMonitorTests {
  private static let center = Coordinate(latitude: 52.5, longitude: 13.4)
  /// Degrees of latitude to a metre.
  private static let metre = 1 / 111_195.0

  private static func rules(dwell: Int64 = 0) -> Machine.Configuration.Places {
    var rules = Machine.Configuration.Places()
    rules.dwell = dwell
    return rules
  }

  private static func home(radius: Double = 100) throws -> Region {
    Region(id: "home", center: try #require(center), radius: radius)
  }

  /// A fix so many metres north of the middle.
  private static func fix(_ metres: Double, accuracy: Double? = 10, at moment: Int64) throws -> Fix {
    let place = try #require(Coordinate(latitude: 52.5 + metres * metre, longitude: 13.4))
    return Fix(Position(place, accuracy: accuracy), moment: moment)
  }

  /// Crossings of a course of distances, one fix a second.
  private func crossings(
    _ distances: [Double], accuracy: Double = 10, dwell: Int64 = 0, radius: Double = 100
  ) throws -> [RegionMonitor.Side] {
    var monitor = RegionMonitor([try Self.home(radius: radius)], rules: Self.rules(dwell: dwell))
    var found: [RegionMonitor.Side] = []
    for (index, distance) in distances.enumerated() {
      let now = Int64(index) * 1000
      try monitor.take(Self.fix(distance, accuracy: accuracy, at: now), at: now)
      found += monitor.settle(at: now).map(\.side)
    }
    return found
  }

  @Test(arguments: [
    // Surely inside only with the whole circle of the fix, surely outside only with it and the margin of 20 m.
    (89.0, 10.0, RegionMonitor.Side.inside), (91, 10, nil), (100, 10, nil), (129, 10, nil), (131, 10, .outside),
    (0, 99, .inside), (0, 100, .inside), (60, 50, nil), (150, 50, nil), (171, 50, .outside),
  ])
  func `a fix tells a side only if it is sure of it`(
    distance: Double, accuracy: Double, side: RegionMonitor.Side?
  ) throws {
    var monitor = RegionMonitor([try Self.home()], rules: Self.rules())
    try monitor.take(Self.fix(distance, accuracy: accuracy, at: 0), at: 0)
    let crossings = monitor.settle(at: 0)
    #expect(crossings.map(\.side) == (side.map { [$0] } ?? []))
    #expect(!crossings.contains { !$0.isDetermined })
    #expect(monitor.side(of: "home") == side)
  }

  @Test func `a walk in and out crosses twice`() throws {
    let way = stride(from: 300.0, to: 0, by: -5) + stride(from: 0.0, to: 300, by: 5)
    #expect(try crossings(Array(way)) == [.outside, .inside, .outside])
  }

  @Test(arguments: [60.0, 90, 100, 110, 125])
  func `whoever stands at the border crosses nothing, however the fixes jump about`(distance: Double) throws {
    var random = Randomness(seed: 5)
    let jumps = (0..<5000).map { _ in distance + Double.random(in: -10...10, using: &random) }
    #expect(try crossings([300] + jumps).filter { $0 == .inside }.count <= 1)
    #expect(try crossings([0] + jumps).filter { $0 == .outside }.count <= 1)
    #expect(try crossings([300] + jumps).count <= 2)
  }

  @Test func `a crossing counts once it has lasted, and is dated at its first fix`() throws {
    var monitor = RegionMonitor([try Self.home()], rules: Self.rules(dwell: 10_000))
    try monitor.take(Self.fix(0, at: 1000), at: 1000)
    #expect(monitor.settle(at: 1000) == [])
    #expect(monitor.deadline == 11_000)
    // No further fix is needed, as a phone that lies still sends none.
    let crossings = monitor.settle(at: 11_000)
    #expect(crossings.map(\.moment) == [1000])
    #expect(monitor.deadline == nil)
  }

  @Test func `a fix that is far off for a moment crosses nothing`() throws {
    let way = Array(repeating: 0.0, count: 20) + [500] + Array(repeating: 0.0, count: 20)
    #expect(try crossings(way, dwell: 10_000) == [.inside])
    let unsure = Array(repeating: 0.0, count: 20) + [500, 110, 500, 110, 500] + Array(repeating: 0.0, count: 20)
    #expect(try crossings(unsure, dwell: 10_000) == [.inside])
  }

  @Test func `fixes that come late and all at once cross nothing by one that is far off`() throws {
    var monitor = RegionMonitor([try Self.home()], rules: Self.rules(dwell: 10_000))
    try monitor.take(Self.fix(0, at: 0), at: 0)
    #expect(monitor.settle(at: 10_000).map(\.side) == [.inside])
    // Eighty seconds without a network, then all of them in order.
    for (moment, distance) in [(20_000, 0.0), (40_000, 600), (60_000, 0), (90_000, 0)] as [(Int64, Double)] {
      try monitor.take(Self.fix(distance, at: moment), at: 100_000)
      #expect(monitor.settle(at: 100_000) == [])
    }
    #expect(monitor.settle(at: 200_000) == [])
    // A true crossing among such counts, at its own time.
    for moment in [210_000, 230_000, 250_000] as [Int64] {
      try monitor.take(Self.fix(600, at: moment), at: 260_000)
      #expect(monitor.settle(at: 260_000) == [])
    }
    #expect(monitor.deadline == 270_000)
    #expect(monitor.settle(at: 270_000).map(\.moment) == [210_000])
  }

  @Test func `a fix that is stale, coarse, without accuracy or older than the last counts for nothing`() throws {
    var monitor = RegionMonitor([try Self.home()], rules: Self.rules())
    #expect(throws: RegionMonitor.Refusal.stale) { try monitor.take(Self.fix(0, at: 0), at: 120_001) }
    #expect(throws: RegionMonitor.Refusal.coarse) { try monitor.take(Self.fix(0, accuracy: 101, at: 0), at: 0) }
    #expect(throws: RegionMonitor.Refusal.coarse) { try monitor.take(Self.fix(0, accuracy: nil, at: 0), at: 0) }
    #expect(monitor.settle(at: 120_001) == [])
    try monitor.take(Self.fix(500, at: 5000), at: 5000)
    #expect(throws: RegionMonitor.Refusal.superseded) { try monitor.take(Self.fix(0, at: 4999), at: 5000) }
    #expect(monitor.settle(at: 5000).map(\.side) == [.outside])
  }

  @Test func `a device that slept in the middle of a crossing has crossed nothing`() throws {
    var monitor = RegionMonitor([try Self.home()], rules: Self.rules(dwell: 10_000))
    try monitor.take(Self.fix(0, at: 1000), at: 1000)
    #expect(monitor.settle(at: 3_600_000) == [])
    #expect(monitor.surrounding == nil)
    #expect(monitor.deadline == nil)
  }

  @Test func `regions that overlap are entered and left each by itself, entered ones first`() throws {
    let center = try #require(Self.center)
    let next = try #require(Coordinate(latitude: 52.5 + 400 * Self.metre, longitude: 13.4))
    let regions = [Region(id: "a", center: center, radius: 250), Region(id: "b", center: next, radius: 250)]
    var monitor = RegionMonitor(regions, rules: Self.rules())
    var story: [String] = []
    for (index, distance) in [0.0, 200, 400, 1000].enumerated() {
      try monitor.take(Self.fix(distance, at: Int64(index)), at: Int64(index))
      story += monitor.settle(at: Int64(index)).map { "\($0.region.id) \($0.side)" }
    }
    #expect(story == ["a inside", "b outside", "b inside", "a outside", "b outside"])
  }

  @Test func `what changes of the regions leaves the sides that are known`() throws {
    var monitor = RegionMonitor([try Self.home()], rules: Self.rules())
    try monitor.take(Self.fix(0, at: 0), at: 0)
    _ = monitor.settle(at: 0)
    monitor.watch([try Self.home(radius: 50), Region(id: "work", center: try #require(Self.center), radius: 20)])
    #expect(monitor.side(of: "home") == .inside)
    #expect(monitor.side(of: "work") == nil)
    #expect(monitor.surrounding?.map(\.id) == ["home"])
  }
}

private func + (one: StrideTo<Double>, other: StrideTo<Double>) -> [Double] { Array(one) + Array(other) }
