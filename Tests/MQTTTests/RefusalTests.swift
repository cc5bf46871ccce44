import MQTT
import Testing

@Suite(.timeLimit(.minutes(2))) struct `A broker that refuses` {
  /// What the peer says, and what is made of it.
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var answer: [UInt8]
    var version = Client.Configuration.ProtocolVersion.v5
    var code: MQTTError.Code
    var words: String
    var isPatient = false
    var testDescription: String { name }
  }

  /// CONNACK of MQTT 5 without properties.
  static func connack(_ code: UInt8) -> [UInt8] { [0x20, 3, 0, code, 0] }

  @Test(arguments: [
    Case(name: "version", answer: connack(0x84), code: .protocolVersion, words: "mqtt.protocol"),
    Case(name: "client id", answer: connack(0x85), code: .clientIDRefused, words: "'p'", isPatient: true),
    Case(name: "credentials", answer: connack(0x86), code: .badCredentials, words: "mqtt.username", isPatient: true),
    Case(name: "banned", answer: connack(0x8a), code: .refused(.banned), words: "0x8a", isPatient: true),
    Case(
      name: "busy, with a reason", answer: [0x20, 9, 0, 0x89, 6, 0x1f, 0, 3] + Array("why".utf8),
      code: .refused(ReasonCode(rawValue: 0x89)), words: "(why)"),
    Case(
      name: "taken over", answer: connack(0) + [0xe0, 2, 0x8e, 0], code: .takenOver, words: "give each its own",
      isPatient: true),
    Case(
      name: "shutting down", answer: connack(0) + [0xe0, 2, 0x8b, 0], code: .refused(ReasonCode(rawValue: 0x8b)),
      words: "shutting down"),
    Case(
      name: "version, 3.1.1", answer: [0x20, 2, 0, 1], version: .v311, code: .protocolVersion, words: "mqtt.protocol"),
    Case(
      name: "id, 3.1.1", answer: [0x20, 2, 0, 2], version: .v311, code: .clientIDRefused, words: "'p'", isPatient: true),
    Case(
      name: "unavailable, 3.1.1", answer: [0x20, 2, 0, 3], version: .v311, code: .refused(.serverUnavailable),
      words: "unavailable"),
    Case(name: "unavailable", answer: connack(0x88), code: .refused(.serverUnavailable), words: "at the moment"),
    Case(name: "a quota", answer: connack(0x97), code: .refused(.quotaExceeded), words: "0x97"),
    Case(
      name: "password, 3.1.1", answer: [0x20, 2, 0, 4], version: .v311, code: .badCredentials, words: "mqtt.username",
      isPatient: true),
    Case(name: "closes at once", answer: [], code: .notUnderstood, words: "3.1.1"),
    Case(
      name: "speaks HTTP", answer: Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), code: .notUnderstood, words: "mqtts"),
  ])
  func `is understood`(_ example: Case) async throws {
    let peer = try ScriptedPeer(answer: example.answer, thenCloses: true)
    var configuration = Client.Configuration(
      brokers: [Broker(host: "127.0.0.1", port: peer.port)], clientID: "p", version: example.version)
    configuration.backoff = Backoff.Limits(first: .seconds(1), longest: .seconds(1), patience: .seconds(60))
    let probe = Probe(configuration)
    let end = try await probe.disconnected()
    #expect(end.error.code == example.code, "\(end.error)")
    #expect(end.error.message.contains(example.words), "\(end.error)")
    #expect((try #require(end.retryIn) >= .seconds(60)) == example.isPatient)
    await probe.client.stop()
  }

  @Test func `a subscription says so, and the connection stays`() async throws {
    // CONNACK, then SUBACK for packet 1: not authorised.
    let peer = try ScriptedPeer(answer: Self.connack(0) + [0x90, 4, 0, 1, 0, 0x87])
    let probe = Probe(
      Client.Configuration(
        brokers: [Broker(host: "127.0.0.1", port: peer.port)], clientID: "p", subscriptions: [Subscription("a")]))
    try await probe.connected()
    #expect(try await probe.subscribed() == .refused(.notAuthorized))
    await probe.client.stop(within: .milliseconds(100))
  }

  @Test func `to grant a full window gets no more than it wants`() async throws {
    // CONNACK with Receive Maximum 2.
    let peer = try ScriptedPeer(answer: [0x20, 6, 0, 0, 3, 0x21, 0, 2])
    let probe = Probe(Client.Configuration(brokers: [Broker(host: "127.0.0.1", port: peer.port)], clientID: "p"))
    let session = try await probe.connected()
    #expect(session.window == 2)
    for token in 1...5 as ClosedRange<UInt64> { probe.client.publish(OutgoingMessage("a", "x"), token: token) }
    #expect(try await probe.result(of: 5) == .failed)
    await probe.client.stop(within: .milliseconds(100))
  }
}
