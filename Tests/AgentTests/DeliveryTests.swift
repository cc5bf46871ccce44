import Agent
import AgentTesting
import Motion
import Testing
import Wire

@Suite struct DeliveryTests {
  private func walking(_ change: (inout Machine.Configuration) -> Void = { _ in }) -> World {
    var world = World(.testing(change))
    world.command("start")
    return world
  }

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
    var world = walking()
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
    var world = walking()
    world.holdsJournal = true
    world.walk(100)
    #expect(world.requests.count { if case .commit = $0 { true } else { false } } == 1)
    world.completeAllOfJournal()
    #expect(world.journal.steps == 100)
    #expect(world.journal.records.count { $0.kind == .steps } == 2)
  }

  @Test func `after an outage all of it comes through the history, equal to what was counted`() {
    var world = walking()
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
    var world = walking { $0.replayDelay = 3000 }
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
    var world = walking()
    world.walk(2000)
    world.connect()
    world.send(.motion(.pedometer(PedometerEvent(kind: .pause, time: Double(world.now.monotonic) / 1000))))
    #expect(world.events == ["pause"])
    #expect(world.consumer.steps < 200)
  }

  @Test func `a batch keeps below the broker's largest packet`() {
    var world = walking { $0.replayRate = nil }
    world.walk(400)
    world.connect(Connection(maximumPacket: 4096))
    world.advance(5000)
    #expect(world.published.allSatisfy { $0.topic != "steps2mqtt/p1/history" || $0.payload.count < 3700 })
    #expect(world.consumer.steps == 400)
  }

  @Test(arguments: [(1, 1), (5, 5), (20, 20), (65_535, 20)])
  func `the window is the broker's, 20 at most`(receiveMaximum: Int, window: Int) {
    var world = walking()
    world.holdsAcknowledgements = true
    world.connect(Connection(receiveMaximum: receiveMaximum))
    for _ in 0..<50 {
      world.walk(2)
      world.send(.motion(.pedometer(PedometerEvent(kind: .resume, time: Double(world.now.monotonic) / 1000))))
    }
    #expect(world.inFlight.count == window)
    world.acknowledgeAll()
    world.advance(20_000)
    world.acknowledgeAll()
    world.advance(20_000)
    world.acknowledgeAll()
    #expect(world.consumer.steps == 100)
  }

  @Test func `a record taken by the broker whose acknowledgement was lost comes again, and is dropped as known`() {
    var world = walking()
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
    var world = walking()
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

  @Test func `a record refused for its size is parked, told, and never sent again`() {
    var world = walking()
    world.outcome = { $0.topic.hasSuffix("/steps") ? .unacceptable(reason: "too large") : .acknowledged }
    world.connect()
    world.walk(2)
    world.advance(120_000)
    #expect(world.events.contains("record_parked"))
    #expect(world.published.count { $0.topic == "steps2mqtt/p1/steps" } == 2)
    #expect(world.consumer.steps == 0)
    #expect(world.payloads(on: "steps2mqtt/p1/health").last?["parked"] != .integer(0))
  }

  @Test func `a batch refused for its size is halved until only what is too large is parked`() {
    var world = walking()
    world.walk(60)
    world.outcome = {
      $0.topic.hasSuffix("/history") && $0.payload.count > 3000 ? .unacceptable(reason: "too large") : .acknowledged
    }
    world.connect()
    world.advance(60_000)
    #expect(world.consumer.steps == 60)
    #expect(!world.events.contains("record_parked"))
  }

  @Test func `a lane that access rules refuse rests, keeps its records, and health says so`() {
    var world = walking()
    world.outcome = { $0.topic.hasSuffix("/steps") ? .denied(reason: "not authorised") : .acknowledged }
    world.connect()
    world.walk(20)
    #expect(world.published.count { $0.topic == "steps2mqtt/p1/steps" } == 1)
    world.advance(70_000)
    #expect(world.consumer.steps == 20)
    #expect(world.payloads(on: "steps2mqtt/p1/health").contains { $0["broker"]?.text?.contains("not auth") == true })
  }

  @Test func `a disk that refuses is tried each minute, counting goes on, nothing is lost`() {
    var world = walking()
    world.connect()
    world.journal.fault = "no space left"
    world.walk(300)
    #expect(world.consumer.steps == 0)
    #expect(world.payloads(on: "steps2mqtt/p1/health").last?["journal"] == .string("no space left"))
    world.journal.fault = nil
    world.advance(61_000)
    #expect(world.consumer.steps == 300)
    #expect(world.payloads(on: "steps2mqtt/p1/health").last?["journal"] == .string("ok"))
    #expect(world.faults == [])
  }

  @Test func `beyond what memory holds the oldest are dropped, and an event names how many`() {
    var world = walking()
    world.connect()
    world.journal.fault = "no space left"
    for _ in 0..<5000 {
      world.send(.motion(.pedometer(PedometerEvent(kind: .resume, time: Double(world.now.monotonic) / 1000))))
    }
    world.journal.fault = nil
    world.advance(181_000)
    #expect(world.consumer.records.values.contains { $0["event_type"] == .string("records_lost") })
    #expect(world.journal.records.count < 4200)
  }

  @Test func `a journal at its bound merges what is unsent, keeps the sum, and says so`() {
    var world = walking()
    world.journal.capacity = 20
    world.walk(200)
    world.advance(120_000)
    #expect(world.journal.records.count < 30)
    #expect(world.journal.steps == 200)
    world.connect()
    world.advance(60_000)
    #expect(world.consumer.steps == 200)
    #expect(world.consumer.records.values.contains { $0["event_type"] == .string("outbox_trimmed") })
    #expect(world.payloads(on: "steps2mqtt/p1/health").last?["outbox"] == .integer(0))
  }

  @Test func `health goes out each minute, at QoS 0`() {
    var world = World(.testing())
    world.connect()
    world.advance(301_000)
    let health = world.published.filter { $0.topic == "steps2mqtt/p1/health" }
    #expect(health.count == 5 || health.count == 6)
    #expect(health.allSatisfy { $0.qos == 0 && $0.retain })
  }

  @Test func `leaving counts what is held back, sends it, says offline, and then leaves`() {
    var world = walking()
    world.connect()
    world.walk(3)
    world.heldBack = [.step(Step(time: 1, duration: 0.5, length: 0.7, cadence: 2))]
    world.send(.stop)
    #expect(world.hasLeft)
    #expect(world.consumer.steps == 4)
    #expect(world.published.last?.topic == "steps2mqtt/p1/availability")
    #expect(world.retained["steps2mqtt/p1/availability"] == Array("offline".utf8))
    #expect(world.journal.acknowledged.count == world.journal.records.count)
    #expect(world.machine.nextDeadline == nil)
    #expect(!world.isSensorOpen)
    world.crash()
    #expect(world.isSensorOpen)
  }

  @Test(arguments: [(true, false), (false, true), (true, true)])
  func `leaving takes at most 5 s though disk and broker hang`(journal: Bool, broker: Bool) {
    var world = walking()
    world.connect()
    world.holdsJournal = journal
    world.holdsAcknowledgements = broker
    world.walk(3)
    world.send(.stop)
    #expect(!world.hasLeft)
    world.advance(5000)
    #expect(world.hasLeft)
    #expect(world.published.contains { $0.payload == Array("offline".utf8) })
  }

  @Test func `with exit at end the agent leaves once the recording ended and all is acknowledged`() {
    var world = walking { $0.exitAtEnd = true }
    world.walk(50)
    world.send(.sensor(.ended))
    world.advance(60_000)
    #expect(!world.hasLeft)
    world.connect()
    world.advance(20_000)
    #expect(world.hasLeft)
    #expect(world.consumer.steps == 50)
  }

  @Test func `nothing that Home Assistant reads passes through a replay`() {
    var world = walking()
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
