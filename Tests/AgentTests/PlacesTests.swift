import Agent
import AgentTesting
import Motion
import Testing
import Wire

@Suite struct PlacesTests {
  /// Degrees of latitude to a metre.
  static let metre = 1 / 111_195.0
  static let topic = "owntracks/anna/phone"
  static let east = 13.4
  static let home = #"{"id":"home","name":"Home","latitude":52.5,"longitude":13.4,"radius_m":100}"#
  static let work = #"{"id":"work","latitude":52.51,"longitude":13.4,"radius_m":100}"#

  /// A world that watches regions, as JSON.
  static func world(
    _ regions: String..., change: (inout Machine.Configuration) -> Void = { _ in }
  ) throws -> World {
    let json = try #require(
      JSONValue(json: Array("[\((regions.isEmpty ? [home] : regions).joined(separator: ","))]".utf8)))
    let regions = try Region.list(json)
    var world = World(
      .testing {
        $0.topics = Topics(device: "p1", groups: ["yard"], homeAssistant: "homeassistant", ownTracks: topic)
        $0.places.isWatching = true
        $0.places.regions = regions
        $0.places.dwell = 0
        change(&$0)
      })
    world.connect()
    return world
  }

  /// A receiver finds the wearer so many metres north of home.
  func find(_ metres: Double, accuracy: Double = 10, _ world: inout World) throws {
    let place = try #require(Coordinate(latitude: 52.5 + metres * Self.metre, longitude: Self.east))
    world.advance(1000)
    world.send(.location(.position(Position(place, accuracy: accuracy))))
  }

  /// A phone says something, some time ago.
  func say(
    _ type: String, metres: Double, agoSeconds: Int64 = 0, more: String = "", retained: Bool = false,
    _ world: inout World
  ) {
    let time = world.now.wall / 1000 - agoSeconds
    let payload = #"""
      {"_type":"\#(type)","lat":\#(52.5 + metres * Self.metre),"lon":\#(Self.east),"acc":10,"tst":\#(time)\#(more)}
      """#
    world.command(payload, retained: retained, topic: type == "transition" ? Self.topic + "/event" : Self.topic)
  }

  @Test func `entering starts a session, leaving stops it, once each`() throws {
    var world = try Self.world()
    for metres in [1000.0, 500, 200, 80, 20, 0] { try find(metres, &world) }
    #expect(world.isSensorOpen)
    world.walk(20)
    for metres in [50.0, 110, 125, 200, 1000] { try find(metres, &world) }
    #expect(world.events == ["region_entered", "started", "region_left", "stopped"])
    #expect(!world.isSensorOpen)
    let events = world.payloads(on: "steps2mqtt/p1/event")
    #expect(events[0]["region"] == .string("home"))
    #expect(events[0]["reason"] == .string("crossing"))
    #expect(events[1]["reason"] == .string("region"))
    #expect(events[3]["steps"] == .integer(20))
    #expect(world.state?["regions"] == .array([]))
    #expect(world.faults == [])
  }

  @Test func `what the engine holds back when a region is left belongs to the session`() throws {
    var world = try Self.world()
    try find(0, &world)
    world.walk(2)
    world.heldBack = [.step(.init(time: 601, duration: 0.5, length: 0.7, cadence: 2))]
    try find(1000, &world)
    #expect(world.state?["session_steps"] == .integer(3))
    #expect(world.state?["started"] == .bool(false))
  }

  @Test func `with counting always the sensor stays open when a region is left`() throws {
    var world = try Self.world { $0.counting = .always }
    try find(0, &world)
    try find(1000, &world)
    #expect(world.events == ["region_entered", "started", "region_left", "stopped"])
    #expect(world.isSensorOpen)
  }

  @Test func `whoever is in a region when the agent starts is found there, and counted`() throws {
    var world = try Self.world()
    #expect(world.state?["regions"] == .null)
    try find(0, &world)
    #expect(world.events == ["region_entered", "started"])
    #expect(world.payloads(on: "steps2mqtt/p1/event")[0]["reason"] == .string("determined"))
    #expect(world.state?["regions"] == .array([.string("home")]))
  }

  @Test func `whoever is outside when the agent starts keeps the session that runs`() throws {
    var world = try Self.world { $0.start = .always }
    try find(1000, &world)
    #expect(world.events == [])
    #expect(world.state?["started"] == .bool(true))
    #expect(world.state?["regions"] == .array([]))
  }

  @Test func `a restart in a region crosses nothing, and what was crossed meanwhile is noticed`() throws {
    var world = try Self.world()
    try find(0, &world)
    world.crash()
    world.connect()
    #expect(world.state?["regions"] == .array([.string("home")]))
    try find(10, &world)
    #expect(world.events == ["region_entered", "started"])
    world.crash()
    world.connect()
    try find(1000, &world)
    #expect(world.events.suffix(2) == ["region_left", "stopped"])
  }

  @Test func `what a command says holds until the next crossing`() throws {
    var world = try Self.world()
    try find(0, &world)
    world.command("stop")
    try find(20, &world)
    #expect(world.state?["started"] == .bool(false))
    try find(1000, &world)
    #expect(world.state?["started"] == .bool(false))
    world.command("start")
    try find(900, &world)
    #expect(world.state?["started"] == .bool(true))
    try find(0, &world)
    #expect(world.state?["started"] == .bool(true))
    try find(1000, &world)
    #expect(world.state?["started"] == .bool(false))
    let told = [
      "region_entered", "started", "stopped", "region_left", "started", "region_entered", "region_left", "stopped",
    ]
    #expect(world.events == told)
  }

  @Test func `a start that is refused overrides nothing`() throws {
    var world = try Self.world()
    try find(1000, &world)
    world.command(#"{"id":"1","command":"start","args":{"from":"2099-01-01T00:00:00Z"}}"#)
    #expect(world.answers.last?["code"] == .string("not_allowed"))
    try find(0, &world)
    #expect(world.state?["started"] == .bool(true))
    try find(1000, &world)
    #expect(world.state?["started"] == .bool(false))
  }

  @Test func `a stop before the first position holds, over a restart too`() throws {
    var world = try Self.world()
    world.command("start")
    world.command("stop")
    world.crash()
    world.connect()
    try find(0, &world)
    #expect(world.events.last == "region_entered")
    #expect(world.state?["started"] == .bool(false))
    try find(1000, &world)
    try find(0, &world)
    #expect(world.state?["started"] == .bool(true))
  }

  @Test func `what crossing does is each region's own`() throws {
    let home = #"{"id":"home","latitude":52.5,"longitude":13.4,"radius_m":100,"enter":"stop","leave":"start"}"#
    let shop = #"{"id":"shop","latitude":52.51,"longitude":13.4,"radius_m":100,"enter":"none","leave":"none"}"#
    var world = try Self.world(home, shop)
    try find(0, &world)
    try find(500, &world)
    #expect(world.state?["started"] == .bool(true))
    try find(1112, &world)
    try find(500, &world)
    #expect(world.state?["started"] == .bool(true))
    try find(0, &world)
    #expect(world.state?["started"] == .bool(false))
    #expect(
      world.events == [
        "region_entered", "region_left", "started", "region_entered", "region_left", "region_entered", "stopped",
      ])
  }

  @Test func `leaving one of two regions that overlap stops nothing`() throws {
    let inner = #"{"id":"inner","latitude":52.5,"longitude":13.4,"radius_m":50}"#
    var world = try Self.world(Self.home, inner)
    try find(0, &world)
    try find(85, &world)
    #expect(world.events == ["region_entered", "started", "region_entered", "region_left"])
    #expect(world.state?["regions"] == .array([.string("home")]))
    try find(1000, &world)
    #expect(world.events.suffix(2) == ["region_left", "stopped"])
  }

  @Test func `going from one region straight into the next keeps the session`() throws {
    var world = try Self.world(Self.home, Self.work)
    try find(0, &world)
    try find(1112, &world)
    #expect(world.events == ["region_entered", "started", "region_entered", "region_left"])
    #expect(world.state?["started"] == .bool(true))
  }

  @Test func `a crossing that has to last is made by time alone`() throws {
    var world = try Self.world { $0.places.dwell = 10_000 }
    try find(0, &world)
    #expect(world.events == [])
    world.advance(9000)
    #expect(world.events == [])
    world.advance(2000)
    #expect(world.events == ["region_entered", "started"])
  }

  @Test func `coarse positions do nothing, and health says so`() throws {
    var world = try Self.world()
    try find(0, accuracy: 500, &world)
    world.advance(60_000)
    #expect(world.events == [])
    let health = world.retained("steps2mqtt/p1/health")
    #expect(health?["positions_ignored"] == .integer(1))
    #expect(health?["location"]?.text?.contains("coarser than 100 m") == true)
    try find(0, &world)
    world.advance(60_000)
    #expect(world.retained("steps2mqtt/p1/health")?["location"] == .string("ok"))
  }

  @Test func `a source that is lost does nothing but be told`() throws {
    var world = try Self.world()
    try find(0, &world)
    world.send(.location(.lost(reason: "gpsd at localhost:2947: connection refused")))
    world.send(.location(.lost(reason: "gpsd at localhost:2947: connection refused")))
    world.advance(3_600_000)
    #expect(world.events == ["region_entered", "started"])
    #expect(world.retained("steps2mqtt/p1/health")?["location"]?.text?.contains("refused") == true)
    #expect(world.log.count { $0.contains("refused") } == 1)
  }

  @Test func `without a source health has nothing to say of positions`() {
    var world = World(.testing())
    world.connect()
    world.advance(60_000)
    #expect(world.retained("steps2mqtt/p1/health")?["location"] == .null)
    #expect(world.state?["regions"] == .null)
  }

  @Test func `positions go into neither events nor the log unless the configuration says so`() throws {
    var world = try Self.world()
    for metres in [1000.0, 0, 1000] { try find(metres, &world) }
    say("location", metres: 0, &world)
    let texts = world.published.map { String(decoding: $0.payload, as: UTF8.self) } + world.log
    #expect(!texts.contains { $0.contains("52.5") || $0.contains("latitude") || $0.contains("13.4") })

    var open = try Self.world { $0.places.publishesPosition = true }
    try find(0, &open)
    let event = open.payloads(on: "steps2mqtt/p1/event")[0]
    #expect(event["latitude"]?.double == 52.5)
    #expect(event["longitude"]?.double == 13.4)
    #expect(event["accuracy_m"]?.double == 10)
  }
}
