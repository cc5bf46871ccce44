import Agent
import Journal
import Motion
import Sensors

/// A day of a wearer through engine, machine and journal, in virtual time, with a broker that acknowledges at once.
struct Day {
  /// Samples a second: the engine's own rate.
  private static let rate = 25.0

  private var agent: JournaledMachine
  private var pedometer = Pedometer()
  private let walk: SyntheticWalk

  var steps: Int { agent.steps }
  var records: Int { agent.records }
  var commits: Int { agent.commits }

  /// Opens a journal in a place for a day of about so many steps: two-minute walks, and one of half an hour.
  ///
  /// Step records are made after an interval in ms.
  init(_ place: Place, steps: Int, updateInterval: Int64) async throws {
    agent = try await JournaledMachine(
      .init(directory: "\(place.path)/day-\(updateInterval)"), updateInterval: updateInterval)
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
      if let due = agent.machine.nextDeadline, due <= now { try await take(.tick, at: now) }
    }
    try await take(.stop, at: 86_400_000)
    await agent.journal.close()
  }

  private mutating func take(_ event: Machine.Event, at time: Int64) async throws {
    try await agent.take(event, at: time) { $0.qos > 0 ? .acknowledged : nil }
  }
}
