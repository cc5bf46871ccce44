import Agent
import Journal
import Motion
import Sensors
import Wire

/// A day of a wearer through engine, machine and journal, in virtual time, with a broker that acknowledges at once.
struct Day {
  /// Samples a second: the engine's own rate.
  private static let rate = 25.0
  /// The day's first moment: a midnight, in ms since 1970.
  private static let midnight: Int64 = 1_796_083_200_000
  private static let boot = "0f5c2a9e-3f0e-4c6a-9d1e-5b7c1f2a3d4e"

  private let journal: Journal
  private var machine: Machine
  private var pedometer = Pedometer()
  private let walk: SyntheticWalk
  private(set) var steps = 0
  private(set) var records = 0
  private(set) var commits = 0

  /// Opens a journal in a place for a day of about so many steps: two-minute walks, and one of half an hour.
  init(_ place: Place, steps: Int) async throws {
    journal = try await Journal.open(.init(directory: "\(place.path)/day"), epoch: "bench").journal
    var configuration = Machine.Configuration(topics: Topics(device: "bench"), boot: Self.boot, seed: 1)
    configuration.start = .always
    machine = Machine(configuration, restored: Restored())
    let cadence = 1.85
    let bouts = max(1, (Double(steps) / cadence - 1800) / 120).rounded()
    let rest = (86_400 - 1800 - bouts * 120) / (bouts + 1)
    var segments: [SyntheticWalk.Segment] = [.standing(rest), .walking(1800, cadence: cadence)]
    for _ in 0..<Int(bouts) { segments += [.standing(rest), .walking(120, cadence: cadence)] }
    walk = SyntheticWalk(.init(segments: segments, noise: 0.005))
  }

  /// Lives the day.
  mutating func run() async throws {
    try await take(.begin, at: 0)
    try await take(.broker(.connected(Connection())), at: 0)
    var chunk = 0
    var found: [MotionEvent] = []
    for sample in walk.samples(rate: Self.rate) {
      pedometer.take(sample) { found.append($0) }
      chunk += 1
      guard chunk == 5 else { continue }
      chunk = 0
      let now = Int64(sample.time * 1000)
      for event in found { try await take(.motion(event), at: now) }
      found.removeAll(keepingCapacity: true)
      if let due = machine.nextDeadline, due <= now { try await take(.tick, at: now) }
    }
    try await take(.stop, at: 86_400_000)
    try await journal.close()
  }

  private mutating func take(_ event: Machine.Event, at time: Int64) async throws {
    let now = Instant(monotonic: time, wall: Self.midnight + time)
    var events = [event]
    while !events.isEmpty {
      if case .motion(.step) = events[0] { steps += 1 }
      for effect in machine.handle(events.removeFirst(), at: now) {
        if let consequence = try await perform(effect, at: now) { events.append(consequence) }
      }
    }
  }

  private mutating func perform(_ effect: Effect, at now: Instant) async throws -> Machine.Event? {
    switch effect {
    case .openSensor: return .sensor(.found(.init(name: "synthetic", rate: Self.rate)))
    case .finishMotion: return .motionFinished
    case .takeVitals: return .vitals(Vitals(samples: 0, dropped: 0))
    case .publish(let publication):
      return publication.qos > 0 ? .broker(.finished(publication: publication.number, .acknowledged)) : nil
    case .journal(.commit(let commit)):
      try await journal.acknowledge(commit.acknowledged)
      try await journal.commit(
        .init(
          records: commit.records.map(Journal.Record.init), state: commit.memory,
          clock: commit.clockOffset.map { Journal.BootClock(boot: Self.boot, wallOffset: $0) }))
      commits += 1
      records += commit.records.count
      return .journal(.committed(commit.number))
    case .journal(.page): return .journal(.page([]))
    case .journal(.trim(let time, let sparing)):
      _ = try await journal.tidy(at: time, sparing: sparing)
      return .journal(.trim(nil))
    case .journal(.sums): return .journal(.sums([]))
    case .journal(.answer): return .journal(.answer(nil))
    case .closeSensor, .configureMotion, .confirm, .log, .leave: return nil
    }
  }
}
