import MQTT

/// A connection of a person's command to the broker: subscribes, then says whether it may be used.
struct RemoteClient: Sendable {
  /// What a client hears.
  enum Report: Sendable {
    /// Connected and subscribed.
    case ready
    /// Not connected; it tries again.
    case unavailable(MQTTError)
    /// A message.
    case message(IncomingMessage)
  }

  private let client: Client

  /// Makes a client that hears topics; it has a name of its own, so that any number may run.
  init(_ settings: Settings, role: String, topics: [String]) throws(MQTTError) {
    var configuration = try settings.client(
      id: "steps2mqtt-\(role)-\(String(UInt32.random(in: .min ... .max), radix: 36))")
    configuration.cleanStart = true
    configuration.sessionExpiry = 0
    configuration.backoff = Backoff.Limits(first: .seconds(1), longest: .seconds(5), patience: .seconds(5))
    configuration.subscriptions = topics.map { Subscription($0) }
    client = Client(configuration)
  }

  /// Publishes at QoS 1, not retained; the broker forgets it after so many seconds (MQTT 5).
  func publish(_ topic: String, _ payload: [UInt8], expiry: UInt32) {
    client.publish(
      OutgoingMessage(topic: topic, payload: payload, properties: MessageProperties(expiry: expiry)), token: 1)
  }

  /// Hears until `hear` gives a result, or the time is over.
  func listen<Result: Sendable>(
    for limit: Duration?, _ hear: (Report) async -> Result?
  ) async -> Result? {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [client] in await client.run() }
      if let limit {
        group.addTask { [client] in
          // A cancelled sleep means that there is a result.
          try? await Task.sleep(for: limit)
          await client.stop(within: .milliseconds(500))
        }
      }
      var result: Result?
      // What the brokers said that were passed over on the way to the next of the list.
      var passed: [String] = []
      for await event in client.events {
        guard let report = report(event, after: &passed) else { continue }
        result = await hear(report)
        if result != nil { break }
      }
      group.cancelAll()
      return result
    }
  }

  private func report(_ event: Client.Event, after passed: inout [String]) -> Report? {
    switch event {
    case .connected:
      passed = []
      return nil
    case .subscribed(_, .granted): return .ready
    case .subscribed(let filter, .refused(let code)):
      return .unavailable(MQTTError(.refused(code), "the broker refuses the subscription to \(filter): \(code)"))
    case .disconnected(let error, retryIn: .zero?):
      passed.append(error.message)
      return nil
    case .disconnected(let error, _):
      defer { passed = [] }
      return error.code == .stopped
        ? nil : .unavailable(MQTTError(error.code, (passed + [error.message]).joined(separator: "; ")))
    case .published(_, .refused(let code)):
      return .unavailable(MQTTError(.refused(code), "the broker refuses the command: \(code)"))
    case .published: return nil
    case .message(let message):
      message.acknowledge()
      return .message(message)
    }
  }
}
