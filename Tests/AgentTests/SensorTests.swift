import Agent
import AgentTesting
import Motion
import Testing
import Wire

/// What the sensor says about itself, and what the agent makes of it.
@Suite struct SensorTests {
  private func open() -> World {
    var world = World.walking()
    world.connect()
    world.send(.sensor(.found(SensorIdentity(name: "chip", rate: 50, isSteady: true))))
    return world
  }

  private func health(_ world: World) -> JSONValue? { world.payloads(on: "steps2mqtt/p1/health").last }

  /// Lets minutes go by, with so many samples in each.
  private func pass(_ world: inout World, minutes: Int, samples: Int) {
    for _ in 0..<minutes {
      world.vitals.samples += samples
      world.advance(60_000)
    }
  }

  @Test func `what the device left out, and what is wrong with the signal, stand in health`() {
    var world = open()
    world.vitals.missing = 7
    world.vitals.dropped = 3
    world.advance(61_000)
    #expect(health(world)?["samples_missing"] == .integer(7))
    #expect(health(world)?["samples_dropped"] == .integer(3))
    #expect(health(world)?["signal"] == .string("ok"))
  }

  @Test func `a signal that becomes worse is an event, once, and so is its end`() {
    var world = open()
    pass(&world, minutes: 3, samples: 3000)
    #expect(!world.events.contains("sensor_degraded"))
    pass(&world, minutes: 3, samples: 30_000)
    #expect(health(world)?["signal"] == .string("flooded"))
    pass(&world, minutes: 3, samples: 3000)
    #expect(world.events == ["sensor_degraded", "sensor_restored"])
    #expect(world.payloads(on: "steps2mqtt/p1/event").first?["reason"] == .string("flooded"))
    #expect(health(world)?["signal"] == .string("ok"))
  }

  @Test func `a sensor that is lost is worse than a bad signal`() {
    var world = open()
    pass(&world, minutes: 3, samples: 30_000)
    world.send(.sensor(.lost(SensorLoss(reason: "unplugged"))))
    pass(&world, minutes: 2, samples: 0)
    #expect(health(world)?["signal"] == .string("ok"), "nobody knows better")
    #expect(world.events == ["sensor_degraded", "sensor_lost"])
  }

  @Test func `a loose contact makes few events, and health counts its losses`() {
    var world = open()
    for _ in 0..<600 {
      world.send(.sensor(.lost(SensorLoss(reason: "unplugged"))))
      world.send(.sensor(.lost(SensorLoss(reason: "unplugged"))))
      world.advance(3000)
      world.send(.sensor(.found(SensorIdentity(name: "chip", rate: 50, isSteady: true))))
      world.walk(6)
    }
    let (lost, found) = (world.events.count { $0 == "sensor_lost" }, world.events.count { $0 == "sensor_found" })
    #expect((6...13).contains(lost), "6 at once and 6 an hour: \(lost)")
    #expect(found == lost)
    world.advance(60_000)
    #expect(health(world)?["sensor_losses"] == .integer(600))
    #expect(world.consumer.steps == 3600)
  }

  @Test func `what was wrong with a sensor is over when it is lost or closed`() {
    var world = open()
    let warn = Machine.Event.sensor(.warning("this looks like mg"))
    world.send(warn)
    world.advance(61_000)
    #expect(health(world)?["sensor_warning"] == .string("this looks like mg"))
    world.send(.sensor(.lost(SensorLoss(reason: "unplugged"))))
    world.advance(61_000)
    #expect(health(world)?["sensor_warning"] == .null)
    world.send(.sensor(.found(SensorIdentity(name: "chip", rate: 50))))
    world.send(warn)
    world.command("stop")
    world.advance(61_000)
    #expect(health(world)?["sensor_warning"] == .null)
  }

  private func info(_ world: World) -> JSONValue? { world.retained("steps2mqtt/p1/info") }

  @Test func `a sensor that nobody has opened is neither there nor missing`() {
    var world = World(.testing())
    world.connect()
    #expect(world.state?["sensor"] == .string("closed"))
    #expect(info(world)?["authorization"] == .string("unknown"))
    #expect(info(world)?["capabilities"]?["steps"] != .string("available"))
    world.command("start")
    world.send(.sensor(.found(SensorIdentity(name: "chip", rate: 50))))
    world.advance(2000)
    #expect(world.state?["sensor"] == .string("present"))
    #expect(info(world)?["capabilities"]?["steps"] == .string("available"))
    world.command("stop")
    #expect(world.state?["sensor"] == .string("closed"), "merely stopped")
    #expect(info(world)?["authorization"] == .string("authorized"), "as it was found")
  }

  @Test func `what kept a sensor from being read stays known while it is closed`() {
    var world = World.walking()
    world.connect()
    world.send(.sensor(.lost(SensorLoss(reason: "no rights", denied: true))))
    world.command("stop")
    #expect(world.state?["sensor"] == .string("closed"))
    #expect(info(world)?["authorization"] == .string("denied"))
  }

  @Test func `an activity is an event when it is another one, not when it is trusted more`() {
    var world = open()
    for confidence in [MotionActivity.Confidence.low, .medium, .high] {
      world.send(.motion(.activity(MotionActivity(.walking, confidence: confidence, start: 600))))
    }
    world.advance(2000)
    #expect(world.events == ["activity"])
    #expect(world.state?["confidence"] == .string("high"))
    world.send(.motion(.activity(MotionActivity(.running, confidence: .low, start: 600))))
    #expect(world.events == ["activity", "activity"])
  }

  @Test(arguments: Machine.Configuration.Counting.allCases)
  func `stop counts what the engine held back for the session that it ends`(counting: Machine.Configuration.Counting) {
    var world = World(.testing { $0.counting = counting })
    world.connect()
    world.command("start")
    world.walk(3)
    world.heldBack = [.step(Step(time: 601, duration: 0.5, length: 0.7, cadence: 2))]
    world.command(#"{"id":"a","command":"stop"}"#)
    #expect(world.state?["session_steps"] == .integer(4))
    #expect(world.isSensorOpen == (counting == .always))
  }
}
