import Agent
import AgentTesting
import Motion
import Testing
import Wire

/// What was missed comes again, paced, apart, and never before what is new.
@Suite struct ReplayTests {
  @Test func `after an outage all of it comes through the history, equal to what was counted`() {
    var world = World.walking()
    world.connect()
    world.walk(20)
    world.disconnect()
    world.walk(100)
    world.advance(5000)
    world.connect()
    world.walk(20)
    world.advance(30_000)
    #expect(world.consumer.steps == 140)
    #expect(world.consumer.repetitions == 0)
    #expect(world.consumer.faults == [] && world.faults == [])
    #expect(world.journal.acknowledged.count == world.journal.records.count)
    let live = world.payloads(on: "steps2mqtt/p1/steps").count
    #expect(live > 15 && live < 25)
  }

  @Test func `a replay keeps to its rate, its batches and its start delay`() {
    var world = World.walking { $0.replayDelay = 3000 }
    world.walk(1000)
    world.connect()
    #expect(!world.published.contains { $0.topic == "steps2mqtt/p1/history" })
    world.command(#"{"id":"s","command":"sync"}"#)
    #expect(world.published.count { $0.topic == "steps2mqtt/p1/history" } == 1)
    world.advance(4000)
    let batches = world.payloads(on: "steps2mqtt/p1/history")
    #expect(batches.count == 5)
    world.advance(10_000)
    #expect(world.consumer.steps == 1000)
  }

  @Test func `live records overtake a replay`() {
    var world = World.walking()
    world.walk(2000)
    world.connect()
    world.send(.motion(.pedometer(PedometerEvent(kind: .pause, time: Double(world.now.monotonic) / 1000))))
    #expect(world.events == ["pause"])
    #expect(world.consumer.steps < 200)
  }

  @Test func `a batch keeps below the broker's largest packet`() {
    var world = World.walking { $0.replayRate = nil }
    world.walk(400)
    world.connect(Connection(maximumPacket: 4096))
    world.advance(5000)
    #expect(world.published.allSatisfy { $0.topic != "steps2mqtt/p1/history" || $0.payload.count < 3700 })
    #expect(world.consumer.steps == 400)
  }

  @Test func `nothing that Home Assistant reads passes through a replay`() {
    var world = World.walking()
    world.connect()
    world.walk(10)
    world.disconnect()
    world.walk(50)
    world.send(.motion(.pedometer(PedometerEvent(kind: .pause, time: Double(world.now.monotonic) / 1000))))
    world.connect()
    world.advance(20_000)
    let live = world.published.filter { $0.topic == "steps2mqtt/p1/event" || $0.topic == "steps2mqtt/p1/steps" }
    #expect(live.compactMap { JSONValue(json: $0.payload) }.allSatisfy { $0["historical"] == .bool(false) })
    #expect(world.events == [])
    #expect(world.consumer.records.values.contains { $0["event_type"] == .string("pause") })
  }
}
