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
    #expect((5...50).contains(world.consumer.records.count), "at once, within the burst")
    world.advance(4000)
    #expect((200...250).contains(world.consumer.records.count), "a burst, and 50 a second")
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

  /// A line of so many bytes a second that takes and acknowledges publications one after the other.
  private struct Line {
    let rate: Double
    /// The time from one end to the other and back, in ms.
    let latency: Int64
    /// What is on its way: its number, and when its acknowledgement arrives.
    var arrivals: [UInt64: Int64] = [:]
    private var free: Int64 = 0

    init(rate: Double, latency: Int64) { (self.rate, self.latency) = (rate, latency) }

    /// Lets the line carry for a hundredth of a second.
    mutating func carry(_ world: inout World) {
      for flight in world.inFlight.prefix(world.window) where arrivals[flight.publication.number] == nil {
        let size = Double(flight.publication.payload.count + flight.publication.topic.utf8.count + 8)
        free = max(free, world.now.monotonic) + Int64((size / rate * 1000).rounded(.up))
        arrivals[flight.publication.number] = free + latency
      }
      world.advance(10)
      while let first = world.inFlight.first, let due = arrivals[first.publication.number], due <= world.now.monotonic {
        world.acknowledge()
      }
    }
  }

  private func journal(_ count: Int64) -> MemoryJournal {
    var world = World.walking()
    world.walk(4)
    world.advance(2000)
    var journal = world.journal
    let first = (journal.records.last?.seq ?? 0) + 1
    guard let sample = journal.records.last(where: { $0.kind == .steps }) else { return journal }
    let records = (first..<first + count).map { seq in
      var record = sample
      record.seq = seq
      return record
    }
    _ = journal.serve(
      .commit(Commit(number: 99, records: records, memory: journal.memory ?? [], answers: [], acknowledged: [])))
    return journal
  }

  @Test(arguments: [
    (rate: 20_000.0, latency: 20 as Int64, perSecond: nil as Double?), (20_000, 20, 50), (200_000, 600, nil),
    (1_000_000, 2000, nil), (4000, 100, nil),
  ])
  func `an event reaches the broker a second behind the link at most, while 100,000 records are replayed`(
    rate: Double, latency: Int64, perSecond: Double?
  ) {
    var world = World(.testing { $0.replayRate = perSecond }, journal: journal(100_000))
    var line = Line(rate: rate, latency: latency)
    world.holdsAcknowledgements = true
    world.connect()
    var replayed = 0
    var told: UInt64?
    for second in 0..<60 {
      let moment = world.now.monotonic
      world.send(
        .motion(
          .pedometer(PedometerEvent(kind: second % 2 == 0 ? .pause : .resume, time: Double(moment) / 1000))))
      var took: Int64?
      for tick in 0..<300 {
        if tick >= 100, took != nil { break }
        line.carry(&world)
        guard took == nil, let event = world.published.last(where: { $0.topic == "steps2mqtt/p1/event" }) else {
          continue
        }
        let isUnderWay = world.inFlight.contains { $0.publication.number == event.number }
        if !isUnderWay, told != event.number { took = world.now.monotonic - moment }
        if took != nil { told = event.number }
      }
      if latency < 900, second > 2 {
        let link = latency + Int64(600 / rate * 1000)
        #expect((took ?? .max) <= link + 1020, "second \(second)")
      }
      replayed = world.consumer.records.count
    }
    #expect(replayed > (latency > 900 ? 5000 : 300), "the replay goes on meanwhile: \(replayed)")
    #expect(world.faults == [] && world.inspector.faults == [])
  }
}
