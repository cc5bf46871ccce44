import Agent
import AgentTesting
import Motion
import Testing
import Wire

/// A disk that refuses, or is full.
@Suite struct DiskTests {
  @Test func `a disk that refuses is tried each minute, counting goes on, nothing is lost`() {
    var world = World.walking()
    world.connect()
    world.journal.fault = "no space left"
    let start = world.now.monotonic
    world.walk(300)
    #expect(world.consumer.steps == 0)
    let tries = world.log.filter { $0.contains("no space left") && $0.contains("next try") }.count
    let minutes = Int((world.now.monotonic - start) / 60_000)
    #expect((minutes...minutes + 1).contains(tries) && minutes > 1)
    #expect(world.payloads(on: "steps2mqtt/p1/health").last?["journal"] == .string("no space left"))
    world.journal.fault = nil
    world.advance(61_000)
    #expect(world.consumer.steps == 300)
    #expect(world.payloads(on: "steps2mqtt/p1/health").last?["journal"] == .string("ok"))
    #expect(world.faults == [])
  }

  @Test func `beyond what memory holds the oldest are dropped, and an event names how many`() {
    var world = World.walking()
    world.connect()
    world.journal.fault = "no space left"
    for _ in 0..<5000 {
      world.send(.motion(.pedometer(PedometerEvent(kind: .resume, time: Double(world.now.monotonic) / 1000))))
    }
    world.journal.fault = nil
    world.advance(181_000)
    let events = world.consumer.records.values
    let lost = events.reduce(0) {
      $0 + ($1["event_type"]?.text == "records_lost" ? Int($1["records"]?.double ?? 0) : 0)
    }
    let resumed = events.filter { $0["event_type"]?.text == "resume" }.count
    #expect(lost > 800)
    #expect(lost + resumed == 5000)
  }

  @Test func `a journal at its bound merges what is unsent, keeps the sum, and says so`() {
    var world = World.walking()
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
}
