import Agent
import AgentTesting
import Host
import Motion
import Sensors
import Synchronization
import Testing
import Wire

@testable import steps2mqtt

/// A source that breaks is opened again, and the agent hears of it in words that it knows.
@Suite struct SensorFeedTests {
  private struct NoRecording: RecordedTime {
    func advance(to time: Double) {}
    func release() {}
  }

  /// What a feed delivered.
  private final class Delivered: Sendable {
    private let all = Mutex<[SensorInput]>([])
    var inputs: [SensorInput] { all.withLock { $0 } }
    var losses: [String] {
      inputs.compactMap { if case .lost(let loss) = $0 { loss.reason } else { nil } }
    }
    func add(_ input: SensorInput) { all.withLock { $0.append(input) } }
  }

  private let clock = PortClock(virtual: VirtualClock())
  private let delivered = Delivered()
  private let sample = AccelerometerSample(time: 600, x: 0, y: 0, z: 1)
  private let chip = SensorInput.found(SensorIdentity(name: "iio chip", rate: 50, isSteady: true))

  private func feed(_ script: [ScriptedSource.Opening]) -> (feed: SensorFeed<PortClock>, source: ScriptedSource) {
    let source = ScriptedSource(script)
    return (SensorFeed(source: source, time: NoRecording(), clock: clock, log: Log(level: .error)), source)
  }

  /// Runs a feed until something has come about, then closes it.
  private func run(_ feed: SensorFeed<PortClock>, until condition: @escaping () -> Bool) async -> Bool {
    let delivered = delivered
    let running = Task { await feed.run { delivered.add($0) } }
    let came = await clock.pass(until: condition)
    running.cancel()
    await running.value
    return came
  }

  @Test(arguments: [true, false])
  func `a source that cannot be opened, or breaks as soon as it is open, is tried ever more seldom`(
    opens: Bool
  ) async {
    let (feed, source) = feed([
      .init(events: opens ? [.opened(.chip)] : [], end: .fails(SensorError(.inputOutput, "broken")))
    ])
    #expect(await run(feed) { source.openings == 9 })
    // The clock may have moved between the look at it and the sleep.
    let waits = clock.waits.seen.map { ($0 / .seconds(1)).rounded() }.filter { $0 != 15 }
    #expect(Array(waits.prefix(8)) == [1, 2, 4, 8, 16, 32, 60, 60])
    #expect(Set(delivered.losses) == ["broken"])
  }

  @Test func `a source that had lasted is opened again after a second`() async {
    let clock = clock
    let lasting = Array(repeating: SensorEvent.samples([sample]), count: 3)
    let (feed, source) = feed([
      .init(end: .fails(SensorError(.inputOutput, "a"))), .init(end: .fails(SensorError(.inputOutput, "b"))),
      .init(events: [.opened(.lines)] + lasting, end: .hangs), .init(events: [.opened(.lines)], end: .hangs),
    ])
    // It lasts by what the listener takes its time for.
    let delivered = delivered
    let running = Task {
      await feed.run { input in
        delivered.add(input)
        if case .samples = input { clock.virtual.advance(30_000) }
      }
    }
    #expect(await clock.pass { source.openings == 3 })
    #expect(delivered.losses == ["a", "b"])
    running.cancel()
    await running.value
  }

  @Test func `a source that brings no pressures has no barometer`() async {
    var (feed, source) = feed([.init(events: [.opened(.lines)], end: .hangs)])
    feed.mayHavePressures = false
    let delivered = delivered
    #expect(await run(feed) { source.openings == 1 && delivered.inputs.count == 2 })
    #expect(delivered.inputs.first == .barometer(.absent))
  }

  @Test func `a steady source that hangs is given up and opened again`() async {
    let (feed, source) = feed([
      .init(events: [.opened(.chip), .samples([sample])], end: .hangs),
      .init(events: [.opened(.chip), .samples([sample])], end: .hangs),
    ])
    let delivered = delivered
    #expect(await run(feed) { source.openings == 2 && delivered.inputs.count == 5 })
    let hang = SensorInput.lost(SensorLoss(reason: "the source hangs: nothing came for 15.0 s"))
    #expect(delivered.inputs == [chip, .samples([sample]), hang, chip, .samples([sample])])
  }

  @Test func `what need not speak, or has said that its device is lost, may be silent`() async {
    let lost = SensorError(.silent, "nothing for 5 s")
    for events: [SensorEvent] in [[.opened(.lines), .samples([sample])], [.opened(.chip), .lost(lost)]] {
      let (feed, source) = feed([.init(events: events, end: .hangs)])
      let virtual = clock.virtual
      let end = virtual.now().monotonic + 300_000
      #expect(await run(feed) { virtual.now().monotonic >= end })
      #expect(source.openings == 1)
    }
  }

  @Test func `a source that ends without a word is a loss, one that says so is not opened again`() async {
    let (silent, source) = feed([.init(events: [.opened(.chip)], end: .returns)])
    #expect(await run(silent) { source.openings == 2 })
    #expect(delivered.losses == ["the source ended without a word"])
    let (ending, other) = feed([.init(events: [.opened(.chip)], end: .ends)])
    await ending.run { _ in }
    #expect(other.openings == 1)
  }

  @Test func `counts of faults arrive as what was added since, samples that the device left out apart`() async {
    var first = SensorFaults()
    (first.failed, first.missing) = (2, 5)
    var second = first
    (second.overflowed, second.missing) = (8, 6)
    let (feed, source) = feed([
      .init(events: [.opened(.chip), .faults(first), .faults(second)], end: .returns),
      .init(events: [.opened(.chip), .faults(first)], end: .hangs),
    ])
    let delivered = delivered
    #expect(await run(feed) { source.openings == 2 && delivered.inputs.count == 6 })
    #expect(
      delivered.inputs.filter { if case .faults = $0 { true } else { false } }
        == [.faults(dropped: 2, missing: 5), .faults(dropped: 8, missing: 1), .faults(dropped: 2, missing: 5)],
      "each opening counts from 0")
  }

  @Test func `lost rights are told as such`() async {
    let (feed, _) = feed([.init(end: .fails(SensorError(.notPermitted, "no rights")))])
    let delivered = delivered
    #expect(await run(feed) { !delivered.inputs.isEmpty })
    #expect(delivered.inputs.first == .lost(SensorLoss(reason: "no rights", denied: true)))
  }

  /// The agent over a feed over a source.
  private func agent(_ script: [ScriptedSource.Opening], host: QuietHost, journal: MemoryJournalPort) -> Agent {
    Agent(
      .testing { $0.start = .always }, restored: Restored(), sensor: feed(script).feed, journal: journal,
      broker: ScriptedBroker(), clock: clock.virtual, host: host)
  }

  private static func count(_ samples: some Sequence<AccelerometerSample>) -> Int {
    var pedometer = Pedometer()
    var steps = 0
    func take(_ event: MotionEvent) { if case .step = event { steps += 1 } }
    for sample in samples { pedometer.take(sample, take) }
    pedometer.finish(take)
    return steps
  }

  private static func walk(from start: Double) -> [AccelerometerSample] {
    let walk = SyntheticWalk(SyntheticWalk.Configuration(segments: [.standing(3), .walking(40), .standing(5)]))
    return walk.samples(rate: 50).map { sample in
      var later = sample
      later.time += start
      return later
    }
  }

  @Test(
    .timeLimit(.minutes(2)),
    arguments: [
      ScriptedSource.End.hangs, .fails(SensorError(.inputOutput, "unplugged")), .returns,
    ])
  func `the agent counts on both sides of a loss, nothing in between, and tells of it once`(
    end: ScriptedSource.End
  ) async {
    let (host, journal) = (QuietHost(), MemoryJournalPort())
    let (first, second) = (Self.walk(from: 600), Self.walk(from: 700))
    let agent = agent(
      [
        .init(events: [.opened(.chip), .samples(first)], end: end),
        .init(events: [.opened(.chip), .samples(second)], end: .hangs),
      ], host: host, journal: journal)
    async let running: Void = agent.run()
    let expected = Self.count(first) + Self.count(second)
    let clock = clock
    #expect(await clock.pass { await agent.progress.samples == first.count + second.count })
    await agent.stop()
    #expect(await clock.pass { await journal.journal.steps == expected })
    await running
    #expect(await journal.journal.steps == expected)
    let bodies = await journal.journal.records.filter { $0.kind == .event }
      .map { String(decoding: $0.body, as: UTF8.self) }
    #expect(bodies.count { $0.contains("sensor_lost") } == 1)
    #expect(bodies.count { $0.contains("sensor_found") } == 1)
    #expect(host.log.count { $0.contains("sensor lost") } == 1)
  }

  @Test(.timeLimit(.minutes(2)))
  func `a device that gives ten times its samples gives no step more`() async {
    let (host, journal) = (QuietHost(), MemoryJournalPort())
    let walk = SyntheticWalk(SyntheticWalk.Configuration(segments: [.standing(3), .walking(60), .standing(5)]))
    let flood = walk.samples(rate: 500).map { sample in
      var later = sample
      later.time += 600
      return later
    }
    let agent = agent(
      [.init(events: [.opened(.chip), .samples(flood)], end: .hangs)], host: host, journal: journal)
    async let running: Void = agent.run()
    let clock = clock
    #expect(await clock.pass { await agent.progress.samples == flood.count })
    await agent.stop()
    await running
    let (steps, truth) = (await journal.journal.steps, walk.steps.count)
    #expect(abs(steps - truth) <= truth / 20, "\(steps) of \(truth)")
  }
}
