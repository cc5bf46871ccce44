import Agent
import BenchCounting
import Glibc
import Host
import Journal

/// A week, day by day: what grows? A device runs for years.
struct WeekSection {
  private static let days = 7
  /// How long the broker is away each day, in ms.
  private static let outage: Int64 = 6 * 3_600_000

  func run() async throws {
    try await inVirtualTime()
    try theProgram()
  }

  /// Machine and journal in this process, whose heap can be asked; the broker is away from noon to six each day.
  private func inVirtualTime() async throws {
    let place = try Place(in: "/dev/shm")
    var agent = try await JournaledMachine(.init(directory: place.path, historyDays: 2), replayRate: nil)
    try await agent.take(.begin, at: 0) { _ in nil }
    let publish = { (publication: Publication) in publication.qos > 0 ? PublishOutcome.acknowledged : nil }
    var rows: [[String]] = []
    for day in 0..<Self.days {
      let noon = Int64(day) * JournaledMachine.day + JournaledMachine.day / 2
      try await agent.take(.broker(.connected(Connection())), at: noon - JournaledMachine.day / 2, publish: publish)
      try await agent.live(day, walks: 0..<12, publish: publish)
      try await agent.take(.broker(.disconnected(reason: "away")), at: noon, publish: publish)
      try await agent.live(day, walks: 12..<18) { _ in nil }
      try await agent.take(.broker(.connected(Connection())), at: noon + Self.outage, publish: publish)
      try await agent.live(day, walks: 18..<25, publish: publish)
      let usage = try ProcessFigures(of: getpid())
      rows.append([
        figure(day + 1), figure(agent.steps), figure(await agent.journal.unacknowledgedCount),
        figure(Double(counting_heap_bytes()) / 1e6, 2), figure(Double(usage.residentBytes) / 1e6, 1),
        figure(usage.descriptors), figure(Double(place.bytes) / 1e6, 2),
      ])
    }
    await agent.journal.close()
    table(
      "A week of machine and journal in virtual time, the broker away for 6 h each day, 2 days of history",
      ["day", "steps", "unsent", "MB of heap in use", "MB resident", "descriptors", "MB of files"], rows,
      notes: ["heap: what was allocated and not freed (mallinfo2), at the end of each day"])
  }

  /// The program itself on a synthetic wearer as fast as it can, with a real broker that is killed twice.
  ///
  /// Not each day: these pass in seconds here, and whoever loses its connection so often suspects a rival, and waits.
  private func theProgram() throws {
    let place = try Place(in: "/dev/shm")
    var broker: QuietBroker? = try QuietBroker(in: place)
    guard let port = broker?.port else { return }
    let agent = try Spawned("steps2mqtt", Self.arguments(port: port, place), in: place)
    defer { agent.end() }
    var rows: [[String]] = []
    while rows.count < Self.days {
      let listener = try Listener(port: port, "steps2mqtt/week/health")
      let days = try Self.wait(for: rows.count + 1, listener, agent)
      let usage = try ProcessFigures(of: agent.identifier)
      rows.append([
        figure(days, 1), figure(usage.descriptors), figure(usage.threads),
        figure(Double(usage.privateBytes) / 1e6, 2), figure(Double(usage.residentBytes) / 1e6, 1),
        figure(Double(place.bytes(below: "journal")) / 1e6, 2),
      ])
      guard [2, 5].contains(rows.count) else { continue }
      broker = nil
      sleep(1)
      broker = try QuietBroker(in: place, port: port)
    }
    table(
      "A week of the program, as fast as it can, on 2-minute walks; its broker killed twice",
      ["day", "descriptors", "threads", "MB private", "MB resident", "MB of journal"], rows)
  }

  private static func arguments(port: UInt16, _ place: Place) -> [String] {
    ["run"]
      + [
        "device.id=week", "mqtt.brokers=mqtt://127.0.0.1:\(port)", "mqtt.replay_rate=0", "mqtt.replay_delay_s=0",
        "journal.directory=\(place.path)/journal", "journal.history_days=2", "tracking.start=always",
        "sensor.source=synthetic", "sensor.rate_hz=25", "sensor.synthetic.speed=max", "sensor.synthetic.loop=true",
        "sensor.synthetic.cadences_spm=110", "sensor.synthetic.walk_s=120", "sensor.synthetic.pause_s=2280",
      ].flatMap { ["--set", $0] }
  }

  /// Waits until the agent says that it has run for so many days by its own time; gives what it said.
  private static func wait(for days: Int, _ listener: Listener, _ agent: Spawned) throws -> Double {
    for _ in 0..<6000 {
      let uptime = listener.latest("steps2mqtt/week/health")?.split(separator: "\"uptime_s\":").dropFirst().first
      if let seconds = uptime.flatMap({ Int($0.prefix { $0.isNumber }) }), seconds >= days * 86_400 {
        return Double(seconds) / 86_400
      }
      usleep(100_000)
    }
    throw Unmeasured("a day took more than 10 min: \(agent.complaint)")
  }
}
