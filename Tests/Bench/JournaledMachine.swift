import Agent
import Journal
import Motion
import Wire

/// The machine on a real journal, in virtual time; what it publishes goes to a closure that says what the broker does.
struct JournaledMachine {
  /// A midnight, in ms since 1970, at which the monotonic clock is 0.
  static let midnight: Int64 = 1_796_083_200_000
  /// The boot in which all happens.
  static let boot = "0f5c2a9e-3f0e-4c6a-9d1e-5b7c1f2a3d4e"

  let journal: Journal
  private(set) var machine: Machine
  private(set) var steps = 0
  private(set) var records = 0
  private(set) var commits = 0
  private var planned: Journal.Trim?

  /// Opens a journal for a session that runs from the start.
  init(
    _ journal: Journal.Configuration, replayRate: Double? = 50, updateInterval: Int64 = 1000
  ) async throws {
    self.journal = try await Journal.open(journal, epoch: "bench").journal
    var configuration = Machine.Configuration(topics: Topics(device: "bench"), boot: Self.boot, seed: 1)
    configuration.start = .always
    configuration.replayRate = replayRate
    configuration.replayDelay = 0
    configuration.updateInterval = updateInterval
    machine = Machine(configuration, restored: Restored())
  }

  /// Hands the machine an event at a moment in ms, and does all that follows.
  mutating func take(_ event: Machine.Event, at time: Int64, publish: (Publication) -> PublishOutcome?) async throws {
    let now = Instant(monotonic: time, wall: Self.midnight + time)
    var events = [event]
    while !events.isEmpty {
      if case .motion(.step) = events[0] { steps += 1 }
      for effect in machine.handle(events.removeFirst(), at: now) {
        if let consequence = try await perform(effect, publish) { events.append(consequence) }
      }
    }
  }

  /// Ticks at each deadline of the machine's up to a moment in ms.
  mutating func tick(until end: Int64, from start: Int64, publish: (Publication) -> PublishOutcome?) async throws {
    var time = start
    while let due = machine.nextDeadline, due <= end {
      time = max(time, due)
      try await take(.tick, at: time, publish: publish)
    }
  }

  private mutating func perform(
    _ effect: Effect, _ publish: (Publication) -> PublishOutcome?
  ) async throws -> Machine.Event? {
    switch effect {
    case .openSensor: return .sensor(.found(.init(name: "synthetic", rate: 25)))
    case .finishMotion: return .motionFinished
    case .takeVitals: return .vitals(Vitals(samples: 0, dropped: 0))
    case .publish(let publication):
      return publish(publication).map { .broker(.finished(publication: publication.number, $0)) }
    case .journal(let request): return .journal(try await serve(request))
    case .closeSensor, .configureMotion, .confirm, .log, .leave: return nil
    }
  }

  private mutating func serve(_ request: JournalRequest) async throws -> JournalReport {
    switch request {
    case .commit(let commit):
      try await journal.commit(
        .init(
          records: commit.records.map(Journal.Record.init), state: commit.memory,
          clock: commit.clockOffset.map { Journal.BootClock(boot: Self.boot, wallOffset: $0) },
          acknowledged: commit.acknowledged, trim: commit.trim == nil ? nil : planned))
      commits += 1
      records += commit.records.count
      return .committed(commit.number)
    case .page(let after, let upTo, let limit):
      return .page(try await journal.unacknowledged(after: after, upTo: upTo, limit: limit).map(Record.init))
    case .trim(let time, let sparing):
      planned = try await journal.tidy(at: time, sparing: sparing)
      return .trim(
        planned.map {
          Trim(ranges: $0.ranges, records: $0.records, steps: $0.steps, merged: $0.merged.map(Record.init))
        }
      )
    case .sums: return .sums([])
    case .answer: return .answer(nil)
    }
  }
}

extension Record {
  /// A record of the journal as the agent knows it.
  init(_ record: Journal.Record) {
    self.init(
      seq: record.seq, kind: record.kind == .steps ? .steps : .event, boot: record.boot,
      monotonicStart: record.monotonicStart, monotonicEnd: record.monotonicEnd, wallStart: record.wallStart,
      wallEnd: record.wallEnd, synchronized: record.isSynchronized, steps: record.steps, distance: record.distance,
      activeSeconds: record.activeDuration, replaces: record.replaces, body: record.payload)
  }
}
