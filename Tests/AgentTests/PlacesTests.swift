import Agent
import AgentTesting
import Motion
import Testing
import Wire

@Suite struct PlacesTests {
  /// Degrees of latitude to a metre.
  private static let metre = 1 / 111_195.0
  private static let topic = "owntracks/anna/phone"
  private static let east = 13.4
  private static let home = #"{"id":"home","name":"Home","latitude":52.5,"longitude":13.4,"radius_m":100}"#
  private static let work = #"{"id":"work","latitude":52.51,"longitude":13.4,"radius_m":100}"#

  /// A world that watches regions, as JSON.
  private static func world(
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
  private func find(_ metres: Double, accuracy: Double = 10, _ world: inout World) throws {
    let place = try #require(Coordinate(latitude: 52.5 + metres * Self.metre, longitude: Self.east))
    world.advance(1000)
    world.send(.location(.position(Position(place, accuracy: accuracy))))
  }

  /// A phone says something, some time ago.
  private func say(
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

extension PlacesTests {
  @Test func `a phone's positions start and stop`() throws {
    var world = try Self.world()
    for metres in [1000.0, 0, 0, 1000] {
      say("location", metres: metres, &world)
      world.advance(10_000)
    }
    #expect(world.events == ["region_entered", "started", "region_left", "stopped"])
    #expect(world.confirmed.count == 4)
    #expect(world.answers == [])
  }

  @Test func `a phone's transition is taken at its word, by the region's name or id`() throws {
    var world = try Self.world()
    say("transition", metres: 400, more: #","event":"enter","desc":"Home""#, &world)
    #expect(world.events == ["region_entered", "started"])
    world.advance(10_000)
    say("transition", metres: 0, more: #","event":"leave","desc":"home""#, &world)
    #expect(world.events.suffix(2) == ["region_left", "stopped"])
    // Of a region that is not ours only the position counts.
    world.advance(10_000)
    say("transition", metres: 0, more: #","event":"leave","desc":"Gym""#, &world)
    #expect(world.events.suffix(2) == ["region_entered", "started"])
  }

  @Test func `old messages and those from the future do nothing`() throws {
    var world = try Self.world()
    say("location", metres: 0, agoSeconds: 121, &world)
    say("transition", metres: 0, agoSeconds: 200, more: #","event":"enter","desc":"Home""#, &world)
    say("location", metres: 0, agoSeconds: -3600, &world)
    #expect(world.events == [])
    world.advance(60_000)
    let health = world.retained("steps2mqtt/p1/health")
    #expect(health?["positions_ignored"] == .integer(3))
    #expect(health?["location"]?.text?.contains("clock") == true)
  }

  @Test func `a device without a date follows no phone until it knows the date`() throws {
    var world = try Self.world()
    world.now.wall = 30_000
    world.now.synchronized = false
    world.command(
      #"{"_type":"location","lat":52.5,"lon":13.4,"acc":10,"tst":1796026500}"#, retained: true, topic: Self.topic)
    #expect(world.events == ["clock_step"])
  }

  @Test func `the stored copy that comes at each connection does not undo what came after it`() throws {
    var world = try Self.world()
    say("location", metres: 1000, &world)
    let stored = world.now.wall / 1000
    world.advance(20_000)
    say("transition", metres: 0, more: #","event":"enter","desc":"Home""#, &world)
    #expect(world.events == ["region_entered", "started"])
    for _ in 0..<2 {
      world.disconnect()
      world.crash()
      world.connect()
      let latitude = 52.5 + 1000 * Self.metre
      world.command(
        #"{"_type":"location","lat":\#(latitude),"lon":13.4,"acc":10,"tst":\#(stored)}"#, retained: true,
        topic: Self.topic)
    }
    #expect(world.events == ["region_entered", "started"])
    #expect(world.state?["started"] == .bool(true))
  }

  @Test(arguments: [
    (#"{"_type":"encrypted","data":"3q2+7w=="}"#, "encrypt"), (#"{"_type":"location"}"#, "no position"),
    ("52.5,13.4", "no position"), (#"{"_type":"location","lat":52.5,"lon":13.4,"tst":1796026500}"#, "no accuracy"),
  ])
  func `what cannot be read is counted, and said once`(payload: String, words: String) throws {
    var world = try Self.world()
    for _ in 0..<3 { world.command(payload, topic: Self.topic) }
    world.advance(60_000)
    #expect(world.events == [])
    #expect(world.retained("steps2mqtt/p1/health")?["positions_ignored"] == .integer(3))
    #expect(world.retained("steps2mqtt/p1/health")?["location"]?.text?.contains(words) == true)
    #expect(world.log.count { $0.contains(words) } == 1)
    #expect(world.confirmed.count == 3)
  }

  @Test(arguments: ["", #"{"_type":"lwt","tst":1796026500}"#, #"{"_type":"waypoint","desc":"Home"}"#])
  func `what else a phone says is passed over`(payload: String) throws {
    var world = try Self.world()
    world.command(payload, topic: Self.topic)
    world.advance(60_000)
    #expect(world.retained("steps2mqtt/p1/health")?["location"] == .string("no position yet"))
    #expect(world.retained("steps2mqtt/p1/health")?["positions_ignored"] == .integer(0))
  }
}

extension PlacesTests {
  private func order(_ command: String, args: String? = nil, _ world: inout World) -> JSONValue? {
    let args = args.map { #","args":\#($0)"# } ?? ""
    world.command(#"{"id":"\#(world.now.monotonic)","command":"\#(command)"\#(args)}"#)
    world.advance(1000)
    return world.answers.last
  }

  @Test func `regions are neither told nor set unless the configuration says so`() throws {
    var world = try Self.world()
    #expect(order("regions", &world)?["code"] == .string("not_allowed"))
    #expect(order("configure", args: #"{"places.regions":[]}"#, &world)?["code"] == .string("not_allowed"))
    var list = try Self.world { $0.places.remote = .list }
    #expect(order("regions", &list)?["code"] == .string("ok"))
    #expect(order("configure", args: #"{"places.regions":[]}"#, &list)?["code"] == .string("not_allowed"))
  }

  @Test func `regions are listed with the side on which the wearer is`() throws {
    var world = try Self.world(Self.home, Self.work) { $0.places.remote = .list }
    try find(0, &world)
    guard case .array(let regions)? = order("regions", &world)?["data"]?["regions"] else {
      Issue.record("no regions")
      return
    }
    #expect(regions.map { $0["id"] } == [.string("home"), .string("work")])
    #expect(regions.map { $0["state"] } == [.string("inside"), .string("outside")])
    #expect(regions[0]["latitude"]?.double == 52.5)
  }

  @Test func `regions that a command sets hold over a restart, until null brings the configuration's back`() throws {
    var world = try Self.world { $0.places.remote = .set }
    try find(1112, &world)
    #expect(order("configure", args: #"{"places.regions":[\#(Self.work)]}"#, &world)?["code"] == .string("ok"))
    #expect(world.events == [])
    world.crash(reboot: true)
    world.connect()
    try find(1112, &world)
    #expect(world.events == ["region_entered", "started"])
    #expect(order("regions", &world)?["data"]?["set_by"] == .string("command"))
    #expect(order("configure", args: #"{"places.regions":null}"#, &world)?["code"] == .string("ok"))
    #expect(order("regions", &world)?["data"]?["set_by"] == .string("configuration"))
    try find(0, &world)
    #expect(world.events.suffix(1) == ["region_entered"])
  }

  @Test func `regions that are none are refused, and nothing changes`() throws {
    var world = try Self.world { $0.places.remote = .set }
    let answer = order(
      "configure", args: #"{"wearer.height_m":1.9,"places.regions":[{"id":"x"}]}"#, &world)
    #expect(answer?["code"] == .string("not_allowed"))
    #expect(answer?["reason"]?.text?.contains("latitude") == true)
    #expect(world.wearer?.height != 1.9)
  }

  @Test func `regions of a configuration that was read again are watched at once`() throws {
    var world = try Self.world()
    try find(1112, &world)
    var next = world.configuration
    next.places.regions = try Region.list(try #require(JSONValue(json: Array("[\(Self.work)]".utf8))))
    world.send(.configured(next))
    try find(1112, &world)
    #expect(world.events == ["region_entered", "started"])
  }

  @Test func `a journal that is opened late knows on which side the wearer was`() throws {
    var world = try Self.world()
    try find(0, &world)
    world.command("stop")
    world.journal.isOpen = false
    world.journal.fault = "not mounted"
    world.crash()
    world.connect()
    world.advance(10_000)
    world.journal.fault = nil
    world.advance(70_000)
    try find(0, &world)
    #expect(!world.events.dropFirst(3).contains("region_entered"), "\(world.events)")
    #expect(world.state?["started"] == .bool(false))
    try find(1000, &world)
    #expect(world.events.last == "region_left")
  }
}

@Suite struct NotificationTests {
  private static let topic = "steps2mqtt/p1/notification"

  private static func world(tellsPlace: Bool = false) throws -> World {
    let text = try #require(TextTemplate("{steps} steps"))
    let textAtPlace = try #require(TextTemplate("{steps} steps at {place}"))
    let home = try #require(
      JSONValue(
        json: Array(
          #"[{"id":"home","name":"Home","latitude":52.5,"longitude":13.4,"radius_m":100}]"#.utf8)))
    let regions = try Region.list(home)
    var world = World(
      .testing {
        $0.notification = .init(text: text, textAtPlace: textAtPlace, tellsPlace: tellsPlace)
        $0.places.regions = regions
        $0.places.isWatching = true
        $0.places.dwell = 0
      })
    world.connect()
    return world
  }

  @Test func `a person is told of new steps, at most once in 10 s`() throws {
    var world = try Self.world()
    world.command("start")
    world.advance(60_000)
    #expect(world.payloads(on: Self.topic) == [])
    world.walk(100)
    world.advance(60_000)
    let told = world.payloads(on: Self.topic)
    // 50 s of steps: at once, then each 10 s, and what was still untold.
    #expect((5...7).contains(told.count), "\(told.count)")
    #expect(told.last?["text"] == .string("100 steps"))
    #expect(told.last?["steps"] == .integer(100))
    #expect(told.last?["place"] == .null)
    #expect(world.published.filter { $0.topic == Self.topic }.allSatisfy { !$0.retain && $0.qos == 1 })
    world.advance(600_000)
    #expect(world.payloads(on: Self.topic).count == told.count)
  }

  @Test func `an outage is told of in one message, and a restart in none`() throws {
    var world = try Self.world()
    world.command("start")
    world.walk(10)
    world.advance(20_000)
    world.disconnect()
    world.walk(50)
    world.advance(20_000)
    let before = world.payloads(on: Self.topic).count
    world.connect()
    world.advance(20_000)
    #expect(world.payloads(on: Self.topic).count == before + 1)
    #expect(world.payloads(on: Self.topic).last?["steps"] == .integer(60))
    world.crash()
    world.connect()
    world.advance(60_000)
    #expect(world.payloads(on: Self.topic).count == before + 1)
  }

  @Test(arguments: [(true, "5 steps at Home"), (false, "5 steps")])
  func `the place is told only where that is allowed`(isAllowed: Bool, message: String) throws {
    var world = try Self.world(tellsPlace: isAllowed)
    let place = try #require(Coordinate(latitude: 52.5, longitude: 13.4))
    world.send(.location(.position(Position(place, accuracy: 5))))
    world.walk(5)
    world.advance(20_000)
    let told = world.payloads(on: Self.topic)
    #expect(told.last?["text"] == .string(message))
    #expect(told.last?["place"] == (isAllowed ? .string("Home") : .null))
  }

  @Test func `nobody is told unless the configuration says so`() {
    var world = World(.testing())
    world.connect()
    world.command("start")
    world.walk(20)
    world.advance(60_000)
    #expect(world.payloads(on: Self.topic) == [])
  }
}
