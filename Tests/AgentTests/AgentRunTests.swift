import Agent
import AgentTesting
import Motion
import Testing
import Wire

@Suite struct AgentRunTests {
  /// Waits until something holds that other tasks bring about; gives up after a minute.
  private func wait(for condition: () async -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
      if await condition() { return true }
      await Task.yield()
    }
    return false
  }

  @Test(.timeLimit(.minutes(5)))
  func `runs from birth to offline: samples in, commands answered, everything committed`() async {
    let (clock, broker, journal, host) = (VirtualClock(), ScriptedBroker(), MemoryJournalPort(), QuietHost())
    let samples = (0..<100).map { AccelerometerSample(time: 600 + Double($0) / 50, x: 0, y: 0, z: 1) }
    let sensor = ScriptedSensor([
      .found(SensorIdentity(name: "still", rate: 50, isSteady: true)), .samples(samples),
      .faults(dropped: 2, missing: 1),
    ])
    let agent = Agent(
      .testing(), restored: Restored(), sensor: sensor, journal: journal, broker: broker, clock: clock, host: host)
    async let running: Void = agent.run()
    broker.send(.connected(Connection()))
    let start = Message(
      number: 1, topic: "steps2mqtt/p1/command", payload: Array(#"{"id":"a","command":"start"}"#.utf8))
    broker.send(.message(start))
    #expect(await wait { broker.confirmed == [1] })
    #expect(broker.handovers.first?.count == 4, "availability, info, discovery and state go at once")
    #expect(await wait { await agent.progress.samples == 100 })
    #expect(sensor.opened == 1)
    #expect(await agent.progress.samplesAreDue)
    clock.advance(61_000)
    #expect(await wait { broker.published.contains { $0.topic == "steps2mqtt/p1/health" } })
    broker.send(.message(Message(number: 2, topic: "steps2mqtt/p1/command", payload: Array("stop".utf8))))
    #expect(await wait { broker.confirmed == [1, 2] })
    #expect(await !agent.progress.samplesAreDue)
    await agent.stop()
    await running
    #expect(broker.published.last?.payload == Array("offline".utf8))
    let events = await journal.journal.records.filter { $0.kind == .event }
    #expect(events.count >= 2)
    #expect(await journal.journal.acknowledged.count == journal.journal.records.count)
    #expect(host.log.contains { $0.contains("still") })
  }

  @Test(.timeLimit(.minutes(5)))
  func `leaves by itself at the end of a recording when all is acknowledged`() async {
    let broker = ScriptedBroker()
    let agent = Agent(
      .testing {
        $0.exitAtEnd = true
        $0.start = .always
      }, restored: Restored(), sensor: ScriptedSensor([.found(SensorIdentity(name: "walk")), .ended]),
      journal: MemoryJournalPort(), broker: broker, clock: VirtualClock(), host: QuietHost())
    broker.send(.connected(Connection()))
    let clock = ContinuousClock()
    let took = await clock.measure { await agent.run() }
    #expect(took < .seconds(60))
    #expect(broker.published.last?.payload == Array("offline".utf8))
  }

  @Test(arguments: [
    (earlier: Progress(samples: 10, samplesAreDue: true), later: Progress(samples: 11, samplesAreDue: true), true),
    (earlier: Progress(samples: 10, samplesAreDue: true), later: Progress(samples: 10, samplesAreDue: true), false),
    // Opened a moment ago; closed, lost or ended meanwhile; lines that pause.
    (earlier: Progress(samples: 0, samplesAreDue: false), later: Progress(samples: 0, samplesAreDue: true), true),
    (earlier: Progress(samples: 10, samplesAreDue: true), later: Progress(samples: 10, samplesAreDue: false), true),
    (earlier: Progress(samples: 10, samplesAreDue: false), later: Progress(samples: 10, samplesAreDue: false), true),
  ])
  func `is alive while what must come comes`(earlier: Progress, later: Progress, isAlive: Bool) {
    #expect(later.isAlive(since: earlier) == isAlive)
  }
}
