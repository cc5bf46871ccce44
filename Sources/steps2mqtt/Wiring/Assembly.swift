import Agent
import Host
import Journal
import MQTT
import Sensors
import Wire

/// The whole agent, put together: the order in which things begin and end.
struct Assembly: Sendable {
  private let agent: Agent
  private let journal: Journal
  private let log: Log

  /// Opens the journal and puts the agent on it; nothing runs yet.
  init(_ settings: Settings, exitAtEnd: Bool = false, log: Log) async throws {
    if !settings.tracking.timeZone.isEmpty { try HostClock.useZone(settings.tracking.timeZone) }
    let boot = try HostIdentity.bootID()
    let configuration = settings.agent(boot: boot, exitAtEnd: exitAtEnd)
    let topics = configuration.topics
    let source = try settings.sensor.open()

    var link = try settings.client(id: "steps2mqtt-\(topics.device)")
    link.will = OutgoingMessage(topic: topics.availability, payload: Array("offline".utf8), isRetained: true)
    link.subscriptions = topics.subscriptions.map { Subscription($0) }

    let (journal, recovery) = try await Journal.open(
      Journal.Configuration(settings.journal), epoch: String(UInt64.random(in: .min ... .max), radix: 36))
    log(.info, "journal: \(recovery.summary) in \(settings.journal.directory)")

    let clock = AgentClock()
    self.journal = journal
    self.log = log
    agent = Agent(
      configuration, restored: Restored(recovery, unacknowledged: await journal.unacknowledgedCount),
      sensor: SensorFeed(source: source, clock: clock, log: log), journal: JournalOutbox(journal, boot: boot),
      broker: BrokerLink(Client(link), log: log), clock: clock, host: ProcessHost(writer: log))
    log(.info, "device \(topics.device) below \(topics.root)/\(topics.device)")
  }

  /// Runs the agent until it leaves, feeding the watchdog while it makes progress, then closes the journal.
  func run() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await feedWatchdog() }
      ServiceManager.notify(.ready)
      await agent.run()
      ServiceManager.notify(.stopping)
      group.cancelAll()
    }
    do throws(JournalError) { try await journal.close() } catch { log(.error, "journal: \(error.message)") }
  }

  /// Asks the agent to leave in good order, which takes at most 5 s.
  func stop() async { await agent.stop() }

  /// Tells the service manager that the agent works, while its loop turns and an open sensor gives samples.
  private func feedWatchdog() async {
    guard let interval = ServiceManager.watchdogInterval() else { return }
    var last = await agent.progress
    // A cancelled sleep ends the loop.
    while (try? await Task.sleep(for: interval)) != nil {
      let progress = await agent.progress
      if progress.isAlive(since: last) {
        ServiceManager.notify(.watchdog)
      } else {
        log(.warning, "the sensor is open but silent; the watchdog is not fed")
      }
      last = progress
    }
  }
}

extension Restored {
  init(_ recovery: Journal.Recovery, unacknowledged: Int) {
    self.init(memory: recovery.state, lastSeq: recovery.nextSequence - 1, unacknowledged: unacknowledged)
    if case .replaced(let path, _) = recovery.origin { damagedFile = path }
  }
}

extension Journal.Recovery {
  /// What opening found, for the log.
  fileprivate var summary: String {
    switch origin {
    case .fresh: "new"
    case .closed: "opened at record \(lastSequence)"
    case .interrupted: "opened at record \(lastSequence) after an interruption"
    case .tailLost: "opened at record \(lastSequence); the latest commits are lost with its write-ahead log"
    case .replaced(let path, let reason): "new, since the old one was damaged (\(reason)); it was set aside as \(path)"
    }
  }
}
