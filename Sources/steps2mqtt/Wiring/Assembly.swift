import Agent
import Host
import Journal
import MQTT
import Sensors
import Synchronization
import Wire

/// The whole agent, put together: the order in which things begin and end.
final class Assembly: Sendable {
  private let agent: Agent
  private let link: BrokerLink
  /// The connection that hears samples, where they come by messages and to this agent alone.
  private let samples: SampleLink?
  private let outbox: JournalOutbox
  private let log: Log
  private let boot: String
  private let exitAtEnd: Bool
  /// What the agent runs with, which may change while it does.
  private let settings: Mutex<SettingsInUse>
  /// How far the agent was when it was asked last.
  private let progress = Mutex<Progress?>(nil)

  /// Opens the journal and puts the agent on it; nothing runs yet.
  ///
  /// Samples come from a source that is given, else from the one that is configured. All of it is to run on the loop.
  init(
    _ settings: Settings, exitAtEnd: Bool = false, source: (any AccelerometerSource)? = nil, on loop: Loop, log: Log
  ) async throws {
    boot = try HostIdentity.bootID()
    self.exitAtEnd = exitAtEnd
    self.settings = Mutex(SettingsInUse(settings))
    let configuration = settings.agent(boot: boot, exitAtEnd: exitAtEnd)
    let topics = configuration.topics
    let hearsAlone = source == nil && settings.sensor.source == .mqtt
    samples = hearsAlone ? SampleLink(try settings.sampleClient("sensor")) : nil
    let source = try source ?? settings.openSensor(playingBy: LoopClock(loop), hearing: samples)

    link = BrokerLink(Client(try settings.link()), log: log)
    outbox = JournalOutbox(Journal.Configuration(settings.journal), boot: boot, log: log)
    let restored = try await outbox.begin()

    let clock = AgentClock(loop)
    self.log = log
    agent = Agent(
      configuration, restored: restored,
      sensor: SensorFeed(
        source: source, time: clock, clock: LoopClock(loop), log: log, barometer: settings.sensor.openBarometer,
        mayHavePressures: settings.sensor.bringsPressures ?? true),
      journal: outbox,
      broker: link, clock: clock, host: ProcessHost(writer: log),
      location: settings.places.receiver.map(LocationFeed.init), executor: loop)
    log(.info, "device \(topics.device) below \(topics.root)/\(topics.device)")
  }

  /// Runs the agent until it leaves, then closes the journal.
  func run() async {
    await agent.run()
    await outbox.close()
  }

  /// Takes settings that were read again, as far as they can change while the agent runs; says what it did with them.
  ///
  /// The link to the broker is replaced if anything that concerns it changed, the content of certificates included.
  /// A broker that is left for another is told `offline`, as it would keep `online` for ever.
  func configure(_ new: Settings) async throws(MQTTError) {
    let old = settings.withLock { $0 }
    let inUse = old.taking(new)
    let next = inUse.values
    let isRelinked = inUse.concernsLink(differentlyFrom: old)
    let client = isRelinked ? Client(try next.link()) : nil
    let hearing = isRelinked && samples != nil ? try next.sampleClient("sensor") : nil
    settings.withLock { $0 = inUse }

    log.setLevel(next.logLevel)
    for key in next.keys(differingFrom: new) { log(.warning, "\(key) changes at the next start of the agent") }
    await agent.configure(next.agent(boot: boot, exitAtEnd: exitAtEnd))
    if let client {
      log(.notice, "broker: connecting anew with the changed settings")
      let isLeft = next.mqtt.brokers != old.values.mqtt.brokers
      await link.replace(by: client, farewell: isLeft ? [next.will] : [])
    }
    if let hearing { await samples?.replace(by: hearing) }
  }

  /// Asks the agent to leave in good order, which takes at most 5 s.
  func stop() async { await agent.stop() }

  /// Whether the agent has moved on since it was asked last, or rightly waits; one whose loop is stuck never answers.
  func isAlive() async -> Bool {
    let now = await agent.progress
    let former = progress.withLock { last in
      defer { last = now }
      return last
    }
    return former.map { now.isAlive(since: $0) } ?? true
  }
}
