import BrokerTesting
import MQTT
import Testing

@Suite(.timeLimit(.minutes(2))) struct `A client` {
  @Test(arguments: [Client.Configuration.ProtocolVersion.v5, .v311])
  func `sends and receives at both qualities`(version: Client.Configuration.ProtocolVersion) async throws {
    let broker = try TestBroker()
    let probe = Probe(
      Client.Configuration(broker) {
        $0.version = version
        $0.subscriptions = [Subscription("a/+")]
      })
    let session = try await probe.connected()
    #expect(session.isPresent == false)
    #expect(session.window == 20)
    #expect(try await probe.subscribed() == .granted(.atLeastOnce))

    probe.client.publish(OutgoingMessage("a/1", "one"), token: 1)
    let first = try await probe.message()
    #expect(first.text == "one")
    #expect(first.topic == "a/1")
    #expect(first.qos == .atLeastOnce)
    #expect(first.isRetained == false)
    first.acknowledge()
    #expect(try await probe.result(of: 1) == .acknowledged(.success))

    probe.client.publish(OutgoingMessage("a/2", "", qos: .atMostOnce), token: 2)
    let second = try await probe.message()
    #expect(second.qos == .atMostOnce)
    #expect(second.payload.isEmpty)
    await probe.client.stop()
  }

  @Test func `keeps the beginning of a message that is longer than is wanted`() async throws {
    let broker = try TestBroker()
    let probe = Probe(
      Client.Configuration(broker) {
        $0.subscriptions = [Subscription("a")]
        $0.keptPayload = 4
      })
    try await probe.connected()
    _ = try await probe.subscribed()
    for (text, kept) in [("whole", "whol"), ("four", "four"), ("", "")] {
      probe.client.publish(OutgoingMessage("a", text), token: 1)
      let message = try await probe.message()
      message.acknowledge()
      #expect(message.text == kept)
    }
    await probe.client.stop()
  }

  @Test func `carries the properties of MQTT 5`() async throws {
    let broker = try TestBroker()
    let probe = Probe(Client.Configuration(broker) { $0.subscriptions = [Subscription("a")] })
    try await probe.connected()
    _ = try await probe.subscribed()
    let properties = MessageProperties(expiry: 60, responseTopic: "r", correlationData: [0, 255])
    probe.client.publish(OutgoingMessage(topic: "a", payload: [1], properties: properties), token: 1)
    let message = try await probe.message()
    message.acknowledge()
    #expect(message.properties.responseTopic == properties.responseTopic)
    #expect(message.properties.correlationData == properties.correlationData)
    #expect((59...60).contains(message.properties.expiry ?? 0))
    await probe.client.stop()
  }

  @Test func `takes as many publishes at once as twice the window has room for, and fails the others`() async throws {
    let broker = try TestBroker()
    let probe = Probe(Client.Configuration(broker))
    try await probe.connected()
    probe.client.publish((1...45).map { (OutgoingMessage("a", "\($0)"), $0) })
    // The broker may be faster than the refusals of the client itself.
    var results: [UInt64: PublishResult] = [:]
    while results.count < 45 {
      let (token, result) = try await probe.wait("a result") { event in
        if case .published(let token, let result) = event { (token, result) } else { nil }
      }
      results[token] = result
    }
    for (token, result) in results {
      #expect(result == (token > 40 ? .failed : .acknowledged(.noMatchingSubscribers)), "\(token)")
    }
    await probe.client.stop()
  }

  @Test func `answers a publish without a connection at once as failed`() async throws {
    let port = try TestBroker.freePort()
    let probe = Probe(Client.Configuration(brokers: [Broker(host: "127.0.0.1", port: port)], clientID: "p"))
    probe.client.publish(OutgoingMessage("a", "x"), token: 9)
    #expect(try await probe.result(of: 9) == .failed)
    let end = try await probe.disconnected()
    #expect(end.error.code == .connectionRefused)
    await probe.client.stop()
  }
}
