import Host
import MQTT
import Synchronization

/// One connection that hears the samples of many devices, and hands them to whoever listens for a device.
final class SampleHub: Sendable {
  /// How long a device is left alone of which no agent could be made: a disk has to come to itself, and each try is a
  /// line of the log.
  private static let resting = Duration.seconds(60)

  private struct State {
    var devices: Set<String>
    /// Until when devices are left alone.
    var rests: [String: ContinuousClock.Instant] = [:]
    var listeners: [String: AsyncStream<MQTTSource.Input>.Continuation] = [:]
  }

  /// Devices that sent for the first time.
  let newcomers: AsyncStream<String>
  private let newcomer: AsyncStream<String>.Continuation
  private let link: SampleLink
  private let template: DeviceTemplate
  private let most: Int
  private let log: Log
  private let state: Mutex<State>

  /// Hears at most so many devices, some of which are known already.
  init(_ link: SampleLink, template: DeviceTemplate, known: [String], most: Int, log: Log) {
    (newcomers, newcomer) = AsyncStream.makeStream()
    self.link = link
    self.template = template
    self.most = most
    self.log = log
    state = Mutex(State(devices: Set(known)))
  }

  /// Hears until it is stopped.
  func run() async {
    await link.run { self.route($0) }
    newcomer.finish()
  }

  /// Ends it, and the stream of newcomers with it.
  func stop() async { await link.stop() }

  /// Hears by another connection.
  func replace(by configuration: Client.Configuration) async { await link.replace(by: configuration) }

  /// What comes for a device from now on; a later listener takes the place of an earlier one.
  ///
  /// So many messages wait for a device that is busy as where it hears alone; then newer ones are dropped.
  func inputs(of device: String) -> AsyncStream<MQTTSource.Input> {
    let (inputs, input) = AsyncStream.makeStream(
      of: MQTTSource.Input.self, bufferingPolicy: .bufferingOldest(MQTTSource.waiting))
    state.withLock { $0.listeners.updateValue(input, forKey: device) }?.finish()
    return inputs
  }

  /// Leaves a device alone of which no agent could be made: a message after a minute tries again.
  func leave(_ device: String, at now: ContinuousClock.Instant = .now) {
    state.withLock { state in
      state.rests[device] = now + Self.resting
      state.listeners.removeValue(forKey: device)?.finish()
    }
  }

  func route(_ input: MQTTSource.Input, at now: ContinuousClock.Instant = .now) {
    switch input {
    case .message(let topic, let payload):
      guard let device = template.device(topic: topic, payload: payload) else {
        log(.warning, kind: "nameless", "sensor: a message on \(topic) names no device, and is left out")
        return
      }
      let (listener, isNew, isRefused) = state.withLock { state in
        let isRested = state.rests[device].map { $0 <= now } ?? false
        if isRested { state.rests[device] = nil }
        let isKnown = state.devices.contains(device)
        let hasRoom = state.devices.count < most
        if !isKnown, hasRoom { state.devices.insert(device) }
        return (state.listeners[device], isRested || !isKnown && hasRoom, !isKnown && !hasRoom)
      }
      listener?.yield(input)
      if isNew { newcomer.yield(device) }
      if isRefused {
        log(
          .warning, kind: "crowd",
          "sensor: \(device) is left out, \(most) devices are known: see sensor.mqtt.most_devices")
      }
    case .interrupted, .tick:
      for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(input) }
    }
  }
}
