import Agent
import AgentTesting
import Motion
import Testing
import Wire

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
