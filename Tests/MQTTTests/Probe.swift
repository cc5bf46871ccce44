import BrokerTesting
import Testing

@testable import MQTT

/// A client under test: runs it, and waits for events with a deadline.
final class Probe: Sendable {
  let client: Client
  private let task: Task<Void, Never>
  private let collected: Collector

  convenience init(_ configuration: Client.Configuration) { self.init(Client(configuration)) }

  init(_ client: Client) {
    let collected = Collector()
    self.client = client
    self.collected = collected
    task = Task {
      await withTaskGroup { group in
        group.addTask { await client.run() }
        for await event in client.events { await collected.add(event) }
      }
    }
  }

  deinit { task.cancel() }

  /// Waits for the first event, of those not yet taken, for which `pick` gives something, and takes it and all before.
  func wait<Value: Sendable>(
    _ what: String, atMost limit: Duration = .seconds(15), location: SourceLocation = #_sourceLocation,
    _ pick: @escaping @Sendable (Client.Event) -> Value?
  ) async throws -> Value {
    let deadline = ContinuousClock.now + limit
    while ContinuousClock.now < deadline {
      if let value = await collected.take(pick) { return value }
      try await Task.sleep(for: .milliseconds(5))
    }
    let seen = await collected.seen.map { "\($0)" }.joined(separator: "\n")
    Issue.record("no \(what) within \(limit); seen:\n\(seen)", sourceLocation: location)
    throw Missing()
  }

  struct Missing: Error {}

  @discardableResult
  func connected() async throws -> Session {
    try await wait("connection") { if case .connected(let session) = $0 { session } else { nil } }
  }

  func disconnected(atMost limit: Duration = .seconds(15)) async throws -> (error: MQTTError, retryIn: Duration?) {
    try await wait("disconnection", atMost: limit) {
      if case .disconnected(let error, let retry) = $0 { (error, retry) } else { nil }
    }
  }

  func message() async throws -> IncomingMessage {
    try await wait("message") { if case .message(let message) = $0 { message } else { nil } }
  }

  func result(of token: UInt64) async throws -> PublishResult {
    try await wait("answer to \(token)") { event in
      if case .published(token, let result) = event { result } else { nil }
    }
  }

  func subscribed() async throws -> SubscribeResult {
    try await wait("subscription") { if case .subscribed(_, let result) = $0 { result } else { nil } }
  }

  /// Waits a tenth of a second at most for something to become so.
  func settles(_ isSo: () -> Bool) async {
    let deadline = ContinuousClock.now + .milliseconds(100)
    while !isSo(), ContinuousClock.now < deadline { try? await Task.sleep(for: .milliseconds(5)) }
  }

  var events: [Client.Event] { get async { await collected.seen } }
}

/// The events of a client, in their order.
actor Collector {
  private(set) var seen: [Client.Event] = []
  private var taken = 0

  func add(_ event: Client.Event) { seen.append(event) }

  func take<Value: Sendable>(_ pick: @Sendable (Client.Event) -> Value?) -> Value? {
    for index in taken..<seen.count {
      if let value = pick(seen[index]) {
        taken = index + 1
        return value
      }
    }
    return nil
  }
}

extension Client.Configuration {
  /// A configuration for a broker of the test, with quick retries.
  init(_ broker: TestBroker, id: String = "probe", _ change: (inout Client.Configuration) -> Void = { _ in }) {
    self.init(brokers: [Broker(host: "127.0.0.1", port: broker.port)], clientID: id)
    backoff = Backoff.Limits(first: .milliseconds(50), longest: .milliseconds(200))
    change(&self)
  }
}

extension Client.Configuration {
  /// A configuration for a peer of the test.
  init(to peer: SlowPeer, _ change: (inout Client.Configuration) -> Void = { _ in }) {
    self.init(brokers: [Broker(host: "127.0.0.1", port: peer.port)], clientID: "probe")
    change(&self)
  }
}

extension OutgoingMessage {
  init(_ topic: String, _ text: String, qos: QoS = .atLeastOnce, isRetained: Bool = false) {
    self.init(topic: topic, payload: Array(text.utf8), qos: qos, isRetained: isRetained)
  }
}

extension IncomingMessage {
  var text: String { String(decoding: payload, as: UTF8.self) }
}
