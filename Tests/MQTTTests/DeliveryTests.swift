import BrokerTesting
import MQTT
import Testing

@Suite(.timeLimit(.minutes(2))) struct `Delivery` {
  @Test(arguments: [Client.Configuration.ProtocolVersion.v5, .v311])
  func `of a message that is not confirmed is repeated after a reconnect`(
    version: Client.Configuration.ProtocolVersion
  ) async throws {
    let broker = try TestBroker()
    let probe = Probe(
      Client.Configuration(broker) {
        $0.version = version
        $0.subscriptions = [Subscription("command")]
        $0.deadlines.confirmation = .seconds(2)
      })
    try await probe.connected()
    _ = try await probe.subscribed()
    try await publish("start", to: "command", broker)
    #expect(try await probe.message().text == "start")
    #expect(try await probe.disconnected().error.code == .unconfirmed)
    // The proof that the PUBACK follows the callback: none has left so far.
    #expect(!broker.logText.contains("Received PUBACK from probe"))

    #expect(try await probe.connected().isPresent)
    // On a busy machine the confirmation itself may come too late: then the broker repeats it once more.
    while !broker.logText.contains("Received PUBACK from probe") {
      let again = try await probe.message()
      #expect(again.text == "start")
      again.acknowledge()
      await probe.settles { broker.logText.contains("Received PUBACK from probe") }
    }
    await probe.client.stop()
  }

  @Test func `keeps commands while we are away`() async throws {
    let broker = try TestBroker()
    let configuration = Client.Configuration(broker) { $0.subscriptions = [Subscription("command")] }
    let before = Probe(configuration)
    try await before.connected()
    _ = try await before.subscribed()
    await before.client.stop()
    for text in ["one", "two", "three"] { try await publish(text, to: "command", broker) }

    let after = Probe(configuration)
    #expect(try await after.connected().isPresent)
    for text in ["one", "two", "three"] {
      let message = try await after.message()
      #expect(message.text == text)
      message.acknowledge()
    }
    await after.client.stop()
  }

  @Test func `shows a retained message as retained, stored or live`() async throws {
    let broker = try TestBroker()
    try await run("mosquitto_pub", ["-p", "\(broker.port)", "-t", "command", "-m", "stored", "-q", "1", "-r"])
    let probe = Probe(Client.Configuration(broker) { $0.subscriptions = [Subscription("command")] })
    for text in ["stored", "live"] {
      if text == "live" {
        try await run("mosquitto_pub", ["-p", "\(broker.port)", "-t", "command", "-m", "live", "-q", "1", "-r"])
      }
      let message = try await probe.message()
      #expect(message.text == text)
      #expect(message.isRetained)
      message.acknowledge()
    }
    await probe.client.stop()
  }

  @Test func `of what the broker's rules forbid is refused, and the connection stays`() async throws {
    let broker = try TestBroker(
      passwords: ["edge": "right"], access: ["user edge", "topic readwrite mine/#"])
    let probe = Probe(
      Client.Configuration(broker) {
        $0.username = "edge"
        $0.password = "right"
      })
    try await probe.connected()
    probe.client.publish(OutgoingMessage("theirs", "x"), token: 1)
    #expect(try await probe.result(of: 1) == .refused(.notAuthorized))
    #expect(!ReasonCode.notAuthorized.blamesTheMessage)
    probe.client.publish(OutgoingMessage("mine/x", "x"), token: 2)
    #expect(try await probe.result(of: 2) == .acknowledged(.noMatchingSubscribers))
    await probe.client.stop()
  }

  @Test func `of what is too large is refused, and the connection stays`() async throws {
    let broker = try TestBroker(options: ["max_packet_size 1000"])
    let probe = Probe(Client.Configuration(broker) { $0.maximumPacketSize = 5000 })
    #expect(try await probe.connected().maximumPacketSize == 1000)
    for (size, token) in [(2000, 1), (6000, 2)] as [(Int, UInt64)] {
      probe.client.publish(OutgoingMessage(topic: "a", payload: Array(repeating: 0, count: size)), token: token)
      #expect(try await probe.result(of: token) == .refused(.packetTooLarge))
    }
    #expect(ReasonCode.packetTooLarge.blamesTheMessage)
    probe.client.publish(OutgoingMessage(topic: "a", payload: Array(repeating: 0, count: 900)), token: 3)
    #expect(try await probe.result(of: 3) == .acknowledged(.noMatchingSubscribers))
    await probe.client.stop()
  }

  @Test(arguments: ["a/#", "a/+/b", "", "a\u{0}b"])
  func `to a topic that is none is refused, and the connection stays`(topic: String) async throws {
    let broker = try TestBroker()
    let probe = Probe(Client.Configuration(broker))
    try await probe.connected()
    probe.client.publish(OutgoingMessage(topic, "x"), token: 1)
    #expect(try await probe.result(of: 1) == .refused(.topicNameInvalid))
    probe.client.publish(OutgoingMessage("a", "x"), token: 2)
    #expect(try await probe.result(of: 2) == .acknowledged(.noMatchingSubscribers))
    await probe.client.stop()
  }

  @Test(arguments: ["a/#/b", "a#", "", "a\u{0}b"])
  func `through a filter that is none is refused, and the connection stays`(filter: String) async throws {
    let broker = try TestBroker()
    let probe = Probe(Client.Configuration(broker) { $0.subscriptions = [Subscription(filter)] })
    try await probe.connected()
    #expect(try await probe.subscribed() == .refused(.topicFilterInvalid))
    probe.client.subscribe([Subscription("b", qos: .atMostOnce)])
    #expect(try await probe.subscribed() == .granted(.atMostOnce))
    await probe.client.stop()
  }

  @Test func `beyond twice the window fails at once, and each token is answered once`() async throws {
    let broker = try TestBroker()
    let probe = Probe(Client.Configuration(broker))
    try await probe.connected()
    broker.freeze()
    for token in 0..<45 as Range<UInt64> { probe.client.publish(OutgoingMessage("a", "x"), token: token) }
    for token in 40..<45 as Range<UInt64> { #expect(try await probe.result(of: token) == .failed) }
    broker.thaw()
    for token in 0..<40 as Range<UInt64> {
      #expect(try await probe.result(of: token) == .acknowledged(.noMatchingSubscribers))
    }
    await probe.client.stop()
    let answers = await probe.events.compactMap { if case .published(let token, _) = $0 { token } else { nil } }
    #expect(answers.sorted() == Array(0..<45))
  }

  @Test func `of more than the window waits until one before is acknowledged, which is told meanwhile`() async throws {
    let peer = try SlowPeer(window: 3)
    let probe = Probe(Client.Configuration(to: peer))
    try await until("client") { peer.hasClient }
    try await probe.connected()
    probe.client.publish((1...7).map { (OutgoingMessage("a", "\($0)"), $0) })
    #expect(try await probe.result(of: 7) == .failed, "there is room for twice the window")
    try await until("full window") { peer.payloads.count >= 3 }
    #expect(peer.payloads == ["1", "2", "3"])
    for count in 4...6 {
      peer.acknowledge(1)
      #expect(try await probe.result(of: UInt64(count) - 3) == .acknowledged(.success))
      try await until("the next") { peer.payloads.count >= count }
      #expect(peer.payloads == (1...count).map { "\($0)" })
    }
    peer.acknowledge(3)
    #expect(try await probe.result(of: 6) == .acknowledged(.success))
    await probe.client.stop(within: .milliseconds(100))
  }

  @Test func `of what waits fails with what is in flight when the connection ends`() async throws {
    let peer = try SlowPeer(window: 2)
    let probe = Probe(Client.Configuration(to: peer))
    try await until("client") { peer.hasClient }
    try await probe.connected()
    probe.client.publish((1...4).map { (OutgoingMessage("a", "\($0)"), $0) })
    try await until("full window") { peer.payloads.count >= 2 }
    peer.hangUp()
    for token in 1...4 as ClosedRange<UInt64> { #expect(try await probe.result(of: token) == .failed) }
    _ = try await probe.disconnected()
    await probe.client.stop()
  }

  @Test func `of what waits behind a message that the library refuses goes on`() async throws {
    let peer = try SlowPeer(window: 2)
    let probe = Probe(Client.Configuration(to: peer) { $0.maximumPacketSize = 100 })
    try await until("client") { peer.hasClient }
    try await probe.connected()
    let texts = ["1", "2", String(repeating: "x", count: 200), "4"]
    probe.client.publish(texts.enumerated().map { (OutgoingMessage("a", $1), UInt64($0) + 1) })
    try await until("full window") { peer.payloads.count >= 2 }
    peer.acknowledge(1)
    #expect(try await probe.result(of: 3) == .refused(.packetTooLarge))
    try await until("the last") { peer.payloads.count >= 3 }
    #expect(peer.payloads == ["1", "2", "4"])
    await probe.client.stop(within: .milliseconds(100))
  }

  @Test func `of what waits comes before the last words`() async throws {
    let peer = try SlowPeer(window: 1)
    let probe = Probe(Client.Configuration(to: peer))
    try await until("client") { peer.hasClient }
    try await probe.connected()
    probe.client.publish([(OutgoingMessage("a", "1"), 1), (OutgoingMessage("a", "2"), 2)])
    async let stop: Void = probe.client.stop(publishing: [OutgoingMessage("a", "offline")], within: .seconds(10))
    try await until("all of it") {
      defer { peer.acknowledge(1) }
      return peer.payloads.count >= 3
    }
    await stop
    #expect(peer.payloads == ["1", "2", "offline"])
  }

  @Test func `respects a smaller window of the broker`() async throws {
    let broker = try TestBroker(options: ["max_inflight_messages 3"])
    let probe = Probe(Client.Configuration(broker))
    #expect(try await probe.connected().window == 3)
    await probe.client.stop()
  }

  @Test func `of an incoming message larger than we take does not happen`() async throws {
    let broker = try TestBroker()
    let probe = Probe(
      Client.Configuration(broker) {
        $0.subscriptions = [Subscription("command")]
        $0.maximumIncomingPacketSize = 2000
      })
    try await probe.connected()
    _ = try await probe.subscribed()
    try await publish(String(repeating: "x", count: 4000), to: "command", broker)
    try await publish("small", to: "command", broker)
    let message = try await probe.message()
    #expect(message.text == "small")
    message.acknowledge()
    await probe.client.stop()
  }

  private func publish(_ text: String, to topic: String, _ broker: TestBroker) async throws {
    try await run("mosquitto_pub", ["-p", "\(broker.port)", "-t", topic, "-m", text, "-q", "1"])
  }
}

/// Waits until something is so.
func until(_ what: String, location: SourceLocation = #_sourceLocation, _ isSo: () -> Bool) async throws {
  let deadline = ContinuousClock.now + .seconds(10)
  while !isSo() {
    guard ContinuousClock.now < deadline else {
      Issue.record("no \(what) within 10 s", sourceLocation: location)
      return
    }
    try await Task.sleep(for: .milliseconds(5))
  }
}
