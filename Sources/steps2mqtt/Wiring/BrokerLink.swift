import Agent
import Host
import MQTT
import Synchronization
import Wire

/// Fits the MQTT client to the agent.
final class BrokerLink: BrokerPort {
  private struct Unconfirmed {
    var last: UInt64 = 0
    var messages: [UInt64: IncomingMessage] = [:]
  }

  /// The client of now; another takes its place when the configuration changes.
  private let client: Mutex<Client>
  private let log: Log
  /// What the operator must hear though the broker takes everything: that another client has our id.
  private let alarm = Mutex<String?>(nil)
  /// Messages that the agent has not confirmed; few, since the client hands over one at a time.
  private let unconfirmed = Mutex(Unconfirmed())

  init(_ client: Client, log: Log) {
    self.client = Mutex(client)
    self.log = log
  }

  func run(_ deliver: @escaping @Sendable ([BrokerReport]) async -> Void) async {
    var last: Client?
    while !Task.isCancelled {
      let client = client.withLock { $0 }
      // It ended by itself, and nobody put another in its place.
      if client === last { return }
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await client.run() }
        for await events in client.bunches { await deliver(events.compactMap(report)) }
      }
      last = client
    }
  }

  /// Goes on with another client; the one of now says farewell and ends in good order.
  func replace(by next: Client, farewell: [OutgoingMessage]) async {
    let former = client.withLock { client in
      defer { client = next }
      return client
    }
    await former.stop(publishing: farewell)
  }

  func publish(_ publications: [Publication]) {
    client.withLock { $0 }.publish(publications.map { (OutgoingMessage($0), $0.number) })
  }

  func confirm(message number: UInt64) {
    unconfirmed.withLock { $0.messages.removeValue(forKey: number) }?.acknowledge()
  }

  /// What an event means to the agent; nil for what it need not know.
  private func report(_ event: Client.Event) -> BrokerReport? {
    switch event {
    case .connected(let session):
      log(.info, "broker: connected to \(session.broker)\(session.isPresent ? "" : ", which did not know us")")
      return .connected(
        Connection(
          receiveMaximum: session.window, maximumPacket: session.maximumPacketSize, alarm: alarm.withLock { $0 }))
    case .disconnected(let error, let wait):
      unconfirmed.withLock { $0.messages = [:] }
      alarm.withLock { $0 = error.code == .takenOver ? error.message : nil }
      let next = wait.map { "; next try in \(Text.duration($0 / .seconds(1)))" } ?? ""
      return .disconnected(reason: "\(error.message)\(next)")
    case .published(let token, let result): return .finished(publication: token, PublishOutcome(result))
    case .subscribed(let filter, let result):
      guard case .refused(let code) = result else { return nil }
      return .subscriptionRefused(topic: filter, reason: "\(code)")
    case .message(let message):
      let number = unconfirmed.withLock { unconfirmed in
        unconfirmed.last += 1
        unconfirmed.messages[unconfirmed.last] = message
        return unconfirmed.last
      }
      return .message(
        Message(
          number: number, topic: message.topic, payload: message.payload,
          retained: message.isRetained, expiry: message.properties.expiry.map { Int64($0) * 1000 },
          responseTopic: message.properties.responseTopic,
          correlation: message.properties.correlationData ?? []))
    }
  }
}

extension OutgoingMessage {
  fileprivate init(_ publication: Publication) {
    let correlation = publication.correlation.isEmpty ? nil : publication.correlation
    self.init(
      topic: publication.topic, payload: publication.payload,
      qos: publication.qos == 0 ? .atMostOnce : .atLeastOnce, isRetained: publication.retain,
      properties: MessageProperties(correlationData: correlation))
  }
}

extension PublishOutcome {
  /// What the agent makes of a broker's answer: only what blames the message itself is for good.
  init(_ result: PublishResult) {
    self =
      switch result {
      case .acknowledged: .acknowledged
      case .refused(let code): code.blamesTheMessage ? .unacceptable(reason: "\(code)") : .denied(reason: "\(code)")
      case .failed: .failed
      }
  }
}
