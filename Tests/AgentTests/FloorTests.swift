import Agent
import AgentTesting
import Motion
import Testing
import Wire

@Suite struct FloorTests {
  private func climb(_ world: inout World, _ direction: Floor.Direction = .ascended) {
    world.send(.motion(.floor(Floor(time: Double(world.now.monotonic) / 1000 - 15, direction: direction))))
  }

  private func discovered(_ world: World) -> JSONValue? { world.retained("homeassistant/device/p1/config") }

  @Test func `without a barometer floors are null, and no record names them`() {
    var world = World(.testing())
    world.connect()
    world.command("start")
    world.send(.barometer(.absent))
    world.walk(20)
    world.advance(2000)
    #expect(world.state?["floors_ascended"] == .null)
    #expect(world.payloads(on: "steps2mqtt/p1/steps").allSatisfy { $0["floors_ascended"] == nil })
    #expect(world.retained("steps2mqtt/p1/info")?["capabilities"]?["floors"] == .string("no barometer"))
    #expect(world.retained("steps2mqtt/p1/health")?["barometer"] == .null)
    #expect(discovered(world)?["components"]?["floors_ascended"] == nil)
  }

  @Test func `floors are in state, records and queries, and sensors appear in Home Assistant`() {
    var world = World(.testing())
    world.connect()
    world.command("start")
    world.send(.sensor(.found(SensorIdentity(name: "lis3dh", rate: 50))))
    world.send(.barometer(.found(name: "bmp280")))
    world.advance(2000)
    #expect(world.state?["floors_ascended"] == .integer(0))
    #expect(world.retained("steps2mqtt/p1/info")?["capabilities"]?["floors"] == .string("available"))
    #expect(discovered(world)?["components"]?["floors_ascended"] != nil)
    world.walk(40)
    climb(&world)
    world.walk(20)
    climb(&world)
    climb(&world, .descended)
    world.advance(2000)
    #expect(world.state?["floors_ascended"] == .integer(2))
    #expect(world.state?["floors_descended"] == .integer(1))
    let records = world.payloads(on: "steps2mqtt/p1/steps")
    #expect(records.compactMap { $0["floors_ascended"]?.double }.reduce(0, +) == 2)
    #expect(records.compactMap { $0["floors_descended"]?.double }.reduce(0, +) == 1)
    let from = RFC3339.text(world.now.wall - 60_000)
    world.command(#"{"id":"q","command":"query","args":{"from":"\#(from)"}}"#)
    #expect(world.answers.last?["data"]?["floors_ascended"] == .integer(2))
    #expect(world.answers.last?["data"]?["steps"] == .integer(60))
    #expect(world.faults == [])
  }

  @Test func `a floor that is known only after the steps has a record of its own`() {
    var world = World(.testing())
    world.connect()
    world.command("start")
    world.send(.barometer(.found(name: "bmp280")))
    world.walk(20)
    world.advance(20_000)
    climb(&world)
    world.advance(3000)
    let last = world.payloads(on: "steps2mqtt/p1/steps").last
    #expect(last?["steps"] == .integer(0))
    #expect(last?["floors_ascended"] == .integer(1))
    #expect(last?["session_steps"] == .integer(20))
    #expect(world.state?["floors_ascended"] == .integer(1))
  }

  @Test func `floors survive a restart, and a fresh session counts them from 0`() {
    var world = World(.testing())
    world.connect()
    world.command("start")
    world.send(.barometer(.found(name: "bmp280")))
    world.walk(40)
    climb(&world)
    world.advance(6000)
    world.crash()
    world.connect()
    #expect(world.state?["floors_ascended"] == .integer(1))
    #expect(discovered(world)?["components"]?["floors_ascended"] != nil)
    world.send(.barometer(.found(name: "bmp280")))
    climb(&world, .descended)
    world.advance(6000)
    #expect(world.state?["floors_ascended"] == .integer(1))
    #expect(world.state?["floors_descended"] == .integer(1))
    world.command("stop")
    world.command("start")
    world.advance(2000)
    #expect(world.state?["floors_ascended"] == .integer(0))
  }

  @Test func `a start from earlier takes in the floors of the history`() {
    var world = World(.testing { $0.counting = .always })
    world.connect()
    world.send(.barometer(.found(name: "bmp280")))
    world.walk(40)
    climb(&world)
    world.advance(6000)
    let from = RFC3339.text(world.now.wall - 60_000)
    world.command(#"{"id":"a","command":"start","args":{"from":"\#(from)"}}"#)
    world.advance(2000)
    #expect(world.state?["floors_ascended"] == .integer(1))
    #expect(world.state?["session_steps"] == .integer(40))
  }

  @Test func `a barometer that goes away is told, and steps are counted on`() {
    var world = World(.testing())
    world.connect()
    world.command("start")
    world.send(.barometer(.found(name: "bmp280")))
    world.walk(5)
    world.send(.barometer(.lost(reason: "unplugged")))
    world.send(.barometer(.lost(reason: "unplugged")))
    world.walk(5)
    world.advance(60_000)
    #expect(world.state?["session_steps"] == .integer(10))
    #expect(world.state?["floors_ascended"] == .integer(0))
    #expect(world.retained("steps2mqtt/p1/health")?["barometer"] == .string("unplugged"))
    #expect(world.retained("steps2mqtt/p1/info")?["capabilities"]?["floors"] == .string("no barometer"))
    world.send(.barometer(.found(name: "bmp280")))
    world.advance(60_000)
    #expect(world.events == ["started", "barometer_lost", "barometer_found"])
    #expect(world.retained("steps2mqtt/p1/health")?["barometer"] == .string("ok"))
  }

  @Test(
    arguments: [
      (nil, "unknown", "unknown"), (.found(SensorIdentity(name: "x", rate: 50)), "available", "authorized"),
      (.found(SensorIdentity(name: "x", rate: 5)), "rate too low", "authorized"),
      (.lost(SensorLoss(reason: "no rights", denied: true)), "no rights", "denied"),
      (.lost(SensorLoss(reason: "unplugged")), "no sensor", "absent"),
    ] as [(SensorReport?, String, String)])
  func `says what it can measure once it knows, also after the sensor was closed`(
    report: SensorReport?, steps: String, authorization: String
  ) {
    var world = World(.testing())
    world.connect()
    world.command("start")
    if let report { world.send(.sensor(report)) }
    world.command("stop")
    world.advance(2000)
    let info = world.retained("steps2mqtt/p1/info")
    for capability in ["steps", "distance", "pace", "cadence", "events", "activity"] {
      #expect(info?["capabilities"]?[capability] == .string(steps))
    }
    #expect(info?["authorization"] == .string(authorization))
  }
}
