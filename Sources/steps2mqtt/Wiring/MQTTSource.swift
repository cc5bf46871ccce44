import MQTT
import Sensors

/// Samples out of messages of the broker: lines, or batches of the app Sensor Logger.
struct MQTTSource: AccelerometerSource {
  /// How often the silence of a sender is looked at.
  private static let tick = Duration.seconds(5)
  /// How many messages wait for a consumer that is busy; then newer ones are dropped, and their samples missing.
  ///
  /// At their largest they are 16 MiB, of the 64 that the unit allows.
  static let waiting = 64

  /// Where messages come from.
  enum Feed: Sendable {
    /// A connection of its own, which subscribes to the topic.
    case own(SampleLink)
    /// One that hears the samples of many devices.
    case shared(SampleHub, device: String)
  }

  /// What is heard.
  enum Input: Sendable {
    case message(topic: String, payload: [UInt8])
    case interrupted(String)
    case tick
  }

  /// What is heard, for a person.
  let name: String
  let lines: LineConfiguration
  let feed: Feed
  /// By which a sender's silence is looked at.
  let clock: any Clock<Duration>

  nonisolated(nonsending)
    func run(_ deliver: nonisolated(nonsending) (SensorEvent) async -> Void) async throws(SensorError)
  {
    let description = SensorDescription(kind: .mqtt, name: name, unit: lines.unit)
    var reader = MessageReader(description, lines: lines, now: BootTime.now())
    await deliver(.opened(description))
    await withTaskGroup(of: Void.self) { group in
      let (inputs, input) = AsyncStream.makeStream(of: Input.self, bufferingPolicy: .bufferingOldest(Self.waiting))
      switch feed {
      case .own(let link): group.addTask { await link.run { input.yield($0) } }
      case .shared(let hub, let device):
        group.addTask { for await heard in hub.inputs(of: device) { input.yield(heard) } }
      }
      group.addTask {
        // A cancelled sleep ends the loop.
        while (try? await clock.sleep(for: Self.tick)) != nil { input.yield(.tick) }
      }
      for await input in inputs {
        for event in Self.events(input, &reader) { await deliver(event) }
      }
      group.cancelAll()
    }
  }

  private static func events(_ input: Input, _ reader: inout MessageReader) -> [SensorEvent] {
    switch input {
    case .message(let topic, let payload): reader.take(payload, from: topic, now: BootTime.now())
    case .interrupted(let reason): reader.lose(reason)
    case .tick: reader.tick(now: BootTime.now())
    }
  }
}

extension MQTTSource.Input {
  /// What an event of the client means; nil for what need not be known.
  ///
  /// Stored messages are old, and left out.
  init?(_ event: Client.Event) {
    switch event {
    case .message(let message):
      message.acknowledge()
      guard !message.isRetained else { return nil }
      self = .message(topic: message.topic, payload: message.payload)
    // On its way to the next broker of the list: it was not connected before either.
    case .disconnected(_, retryIn: .zero?): return nil
    case .disconnected(let error, _):
      guard error.code != .stopped else { return nil }
      self = .interrupted(error.message)
    case .subscribed(let filter, .refused(let code)):
      self = .interrupted("the broker refuses the subscription to \(filter) (\(code)): allow it in its access rules")
    case .connected, .subscribed, .published: return nil
    }
  }
}
