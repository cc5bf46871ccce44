import Agent
import AgentTesting
import Motion
import Testing
import Wire

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

  @Test
  func `regions of another version that cannot be read are named and kept, and the configuration's hold`() throws {
    var world = try Self.world { $0.places.remote = .set }
    #expect(order("configure", args: #"{"places.regions":[\#(Self.work)]}"#, &world)?["code"] == .string("ok"))
    world.journal.change("latitude", to: "northing")
    world.crash()
    #expect(world.log.contains { $0.contains("cannot be read by this version") })
    world.connect()
    #expect(order("regions", &world)?["data"]?["set_by"] == .string("configuration"))
    world.journal.change("northing", to: "latitude")
    world.crash()
    world.connect()
    #expect(order("regions", &world)?["data"]?["set_by"] == .string("command"))
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
