import Agent
import AgentTesting
import Motion
import Testing
import Wire

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

  @Test func `positions of one second count in the order in which they come, whatever the device's clocks say`() throws
  {
    var world = try Self.world()
    say("location", metres: 400, &world)
    world.now.wall += 20  // slewed: by the monotonic clock the second position is the older one
    say("location", metres: 0, &world)
    world.advance(1000)
    #expect(world.events.contains("region_entered"))
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
