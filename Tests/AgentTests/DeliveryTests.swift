import Agent
import AgentTesting
import Motion
import Testing
import Wire

/// From the disk to the broker.
@Suite struct DeliveryTests {
  @Test func `the birth comes in its order, and again when it is asked for`() {
    var world = World(.testing())
    world.connect()
    let birth = [
      "steps2mqtt/p1/availability", "steps2mqtt/p1/info", "homeassistant/device/p1/config", "steps2mqtt/p1/state",
    ]
    #expect(world.published.map(\.topic) == birth)
    #expect(world.published.allSatisfy { $0.retain && $0.qos == 1 })
    world.command("online", topic: "homeassistant/status")
    #expect(Array(world.published.map(\.topic).suffix(4)) == birth)
    world.command("offline", topic: "homeassistant/status")
    #expect(world.published.count == 8)
    world.command("announce")
    #expect(world.published.count { $0.topic == birth[2] } == 3)
  }

  @Test func `nothing is published that is not on disk`() {
    var world = World.walking()
    world.connect()
    world.holdsJournal = true
    world.walk(10)
    #expect(world.consumer.steps == 0)
    #expect(world.state?["total_steps"] == .integer(0))
    world.completeAllOfJournal()
    world.advance(2000)
    world.completeAllOfJournal()
    #expect(world.consumer.steps == 10)
  }

  @Test func `while a commit is under way steps gather in the next, so a slow disk costs no count`() {
    var world = World.walking()
    world.holdsJournal = true
    world.walk(100)
    #expect(world.requests.count { if case .commit = $0 { true } else { false } } == 1)
    world.completeAllOfJournal()
    #expect(world.journal.steps == 100)
    #expect(world.journal.records.count { $0.kind == .steps } == 2)
  }

  @Test(arguments: [(1, 1), (5, 5), (20, 20), (65_535, 20)])
  func `the window is the broker's, 20 at most, and as much again waits in the link`(receiveMaximum: Int, window: Int) {
    var world = World.walking()
    world.holdsAcknowledgements = true
    world.connect(Connection(receiveMaximum: receiveMaximum))
    for _ in 0..<50 {
      world.walk(2)
      world.send(.motion(.pedometer(PedometerEvent(kind: .resume, time: Double(world.now.monotonic) / 1000))))
    }
    #expect(world.inFlight.count == 2 * window)
    world.acknowledgeAll()
    world.advance(20_000)
    world.acknowledgeAll()
    world.advance(20_000)
    world.acknowledgeAll()
    #expect(world.consumer.steps == 100)
  }

  @Test func `a record taken by the broker whose acknowledgement was lost comes again, and is dropped as known`() {
    var world = World.walking()
    world.connect()
    world.holdsAcknowledgements = true
    world.walk(4)
    for index in world.inFlight.indices { world.takeWithoutAcknowledging(index) }
    world.disconnect()
    world.holdsAcknowledgements = false
    world.connect()
    world.advance(10_000)
    #expect(world.consumer.repetitions > 0)
    #expect(world.consumer.steps == 4)
    #expect(world.consumer.faults == [])
  }

  @Test(arguments: [false, true])
  func `whatever was in flight when the connection broke comes again`(failingFirst: Bool) {
    var world = World.walking()
    world.connect()
    world.holdsAcknowledgements = true
    world.walk(4)
    world.command(#"{"id":"a","command":"status"}"#)
    world.disconnect(failingFirst: failingFirst)
    world.holdsAcknowledgements = false
    world.connect()
    world.advance(10_000)
    #expect(world.consumer.steps == 4)
    #expect(world.answers.last?["id"] == .string("a"))
    #expect(world.faults == [])
  }

  @Test func `health goes out each minute, at QoS 0`() {
    var world = World(.testing())
    world.connect()
    world.advance(301_000)
    let health = world.published.filter { $0.topic == "steps2mqtt/p1/health" }
    #expect(health.count == 5 || health.count == 6)
    #expect(health.allSatisfy { $0.qos == 0 && $0.retain })
  }
}
