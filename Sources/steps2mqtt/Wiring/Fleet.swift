import FoundationEssentials
import Glibc
import Host
import Journal
import MQTT
import Sensors
import Synchronization
import Wire

/// What `run` runs: an agent, or several.
protocol Running: Sendable {
  /// Runs until told to stop.
  func run() async
  /// Asks for the end in good order.
  func stop() async
  /// Takes settings that were read again.
  func configure(_ new: Settings) async throws(MQTTError)
  /// Whether it has moved on since it was asked last, or rightly waits.
  func isAlive() async -> Bool
}

extension Assembly: Running {}

/// Several agents in one process, a device each: those whose samples come by messages of one topic.
///
/// An agent begins with its device's first message, with a journal and a connection of its own, and again at the next
/// start. How many there may be is bounded, as everybody who may publish to the topic can make one.
final class Fleet: Running {
  private struct State {
    var settings: SettingsInUse
    var agents: [String: Assembly] = [:]
    var isStopped = false
  }

  private let hub: SampleHub
  private let known: [String]
  private let loop: Loop
  private let log: Log
  private let state: Mutex<State>

  /// Prepares the agents of the devices that are known from before; nothing runs yet, and all of it is to run on the loop.
  init(_ settings: Settings, on loop: Loop, log: Log) throws(MQTTError) {
    let directory = settings.journal.directory
    // Where it cannot be made, each agent says so itself and does without.
    _ = unsafe mkdir(directory, 0o700)
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: directory) } catch {
      log(.error, "journal.directory: what it holds of earlier devices waits until they send: \(error)")
      names = []
    }
    let mqtt = settings.sensor.mqtt
    let devices = names.filter { Topics.isDevice($0) && Journal.isThere(in: "\(directory)/\($0)") }.sorted()
    known = Array(devices.prefix(mqtt.mostDevices))
    if devices.count > known.count {
      log(
        .warning,
        "\(devices[known.count...].joined(separator: ", ")): left out, and what they have to send waits, since there are "
          + "more devices than sensor.mqtt.most_devices: \(mqtt.mostDevices)")
    }
    hub = SampleHub(
      SampleLink(try settings.sampleClient("sensor")),
      template: DeviceTemplate(topic: mqtt.topic, template: mqtt.device),
      known: known, most: mqtt.mostDevices, log: log)
    self.loop = loop
    self.log = log
    state = Mutex(State(settings: SettingsInUse(settings)))
  }

  func run() async {
    log(.info, "\(known.count) devices are known; more begin with their first message")
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.hub.run() }
      for device in known {
        if let agent = await agent(device) { group.addTask { await agent.run() } }
      }
      for await device in hub.newcomers {
        if let agent = await agent(device) { group.addTask { await agent.run() } }
      }
      await group.waitForAll()
    }
  }

  func stop() async {
    let agents = state.withLock { state in
      state.isStopped = true
      return state.agents.values
    }
    await hub.stop()
    await withTaskGroup(of: Void.self) { group in
      for agent in agents { group.addTask { await agent.stop() } }
    }
  }

  func configure(_ new: Settings) async throws(MQTTError) {
    let old = state.withLock { $0.settings }
    // A device that begins later has what cannot change as the others have it.
    let next = old.taking(new)
    let hearing = next.concernsLink(differentlyFrom: old) ? try next.values.sampleClient("sensor") : nil
    let agents = state.withLock { state in
      state.settings = next
      return state.agents
    }
    log.setLevel(next.values.logLevel)
    if let hearing { await hub.replace(by: hearing) }
    // All at once: each may wait some seconds for a broker that hangs.
    await withTaskGroup(of: Void.self) { group in
      for (device, agent) in agents {
        group.addTask {
          do throws(MQTTError) { try await agent.configure(new.of(device)) } catch {
            self.log(.error, "\(device): keeps the settings that it has: \(error)")
          }
        }
      }
    }
  }

  func isAlive() async -> Bool { await Self.areAlive(state.withLock { Array($0.agents.values) }) }

  /// Whether all of them are alive: each has to be asked, as it compares with the last time.
  static func areAlive(_ all: [any Running]) async -> Bool {
    var areAlive = true
    for one in all where await !one.isAlive() { areAlive = false }
    return areAlive
  }

  /// Makes the agent of a device; nil where that cannot be done, or is too late.
  private func agent(_ device: String) async -> Assembly? {
    let settings = state.withLock { $0.settings }.values.of(device)
    do {
      let source = CheckedSource(
        MQTTSource(
          name: "messages of \(device)", lines: settings.sensor.written, feed: .shared(hub, device: device),
          clock: LoopClock(loop)))
      let agent = try await Assembly(
        settings, source: source, on: loop, log: Log(level: settings.logLevel, about: device))
      let isWanted = state.withLock { state in
        state.agents[device] = agent
        return !state.isStopped
      }
      // Told to stop while it was made: it runs, and leaves at once.
      if !isWanted { await agent.stop() }
      return agent
    } catch {
      log(.error, "\(device): no agent can be made, a message after a minute tries again: \(error)")
      hub.leave(device)
      return nil
    }
  }
}

extension Settings {
  /// The settings of one device among many.
  fileprivate func of(_ device: String) -> Settings {
    var settings = self
    settings.device.id = device
    if !settings.device.name.isEmpty { settings.device.name += " \(device)" }
    settings.journal.directory += "/\(device)"
    return settings
  }
}
