import BrokerTesting
import MQTT
import Testing

@Suite(.timeLimit(.minutes(2))) struct `TLS` {
  /// Made once for all: it takes a dozen runs of `openssl`.
  static let certificates = Result { try Certificates() }

  /// One way to get TLS wrong, or right.
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var server = "server"
    var options: [String] = []
    var host = "127.0.0.1"
    var authority: String? = "ca"
    var client: String?
    var code: MQTTError.Code?
    var words = ""
    var testDescription: String { name }
  }

  @Test(arguments: [
    Case(name: "all is well, by address"),
    Case(name: "all is well, by name", host: "localhost"),
    Case(name: "a client certificate", options: ["require_certificate true"], client: "client"),
    Case(name: "unknown authority", authority: "foreign-ca", code: .unknownAuthority, words: "mqtt.ca_file"),
    Case(name: "unknown to the system", authority: nil, code: .unknownAuthority, words: "mqtt.ca_file"),
    Case(name: "foreign server", server: "foreign-server", code: .unknownAuthority, words: "unknown authority"),
    Case(name: "expired", server: "expired", code: .certificateExpired, words: "expired"),
    Case(name: "wrong name", server: "wrong-name", code: .wrongName, words: "'127.0.0.1'"),
    Case(name: "wrong name", server: "wrong-name", host: "localhost", code: .wrongName, words: "'localhost'"),
    Case(
      name: "no client certificate", options: ["require_certificate true"], code: .clientCertificate,
      words: "set mqtt.certificate_file"),
    Case(
      name: "no client certificate, TLS 1.2",
      options: ["require_certificate true", "tls_version tlsv1.2", "ciphers DEFAULT"],
      code: .clientCertificate, words: "set mqtt.certificate_file"),
    Case(
      name: "foreign client certificate", options: ["require_certificate true"], client: "foreign-client",
      code: .clientCertificate, words: "refuses the client certificate"),
  ])
  func `says what is wrong`(_ example: Case) async throws {
    let certificates = try Self.certificates.get()
    let broker = try TestBroker(tls: certificates.listener(example.server) + example.options)
    let port = try #require(broker.tlsPort)
    let probe = Probe(
      Client.Configuration(broker) {
        $0.brokers = [Broker(host: example.host, port: port, isEncrypted: true)]
        $0.tls.authorityFile = example.authority.map { certificates.certificate($0) }
        $0.tls.certificateFile = example.client.map { certificates.certificate($0) }
        $0.tls.keyFile = example.client.map { certificates.key($0) }
      })
    if let code = example.code {
      let end = try await probe.disconnected()
      #expect(end.error.code == code, "\(end.error)")
      #expect(end.error.message.contains(example.words), "\(end.error)")
    } else {
      try await probe.connected()
      probe.client.publish(OutgoingMessage("a", "x"), token: 1)
      #expect(try await probe.result(of: 1) == .acknowledged(.noMatchingSubscribers))
    }
    await probe.client.stop()
  }

  @Test func `is told from plain ports, both ways`() async throws {
    let certificates = try Self.certificates.get()
    let broker = try TestBroker(tls: certificates.listener("server"))
    let tlsPort = try #require(broker.tlsPort)
    let table: [(Broker, MQTTError.Code, String)] = [
      (Broker(host: "127.0.0.1", port: broker.port, isEncrypted: true), .plainPort, "use mqtt://"),
      (Broker(host: "127.0.0.1", port: tlsPort), .notUnderstood, "use mqtts://"),
    ]
    for (address, code, words) in table {
      let probe = Probe(
        Client.Configuration(broker) {
          $0.brokers = [address]
          $0.tls.authorityFile = certificates.certificate("ca")
        })
      let end = try await probe.disconnected()
      #expect(end.error.code == code, "\(end.error)")
      #expect(end.error.message.contains(words), "\(end.error)")
      await probe.client.stop()
    }
  }

  @Test func `names a file that is missing, wrong or lacks its other half`() async throws {
    let certificates = try Self.certificates.get()
    let certificate = certificates.certificate("client")
    let table: [(Client.Configuration.TLS, String)] = [
      (
        Client.Configuration.TLS(authorityFile: "/nowhere/ca.crt"),
        "CA file /nowhere/ca.crt cannot be read: No such file"
      ),
      (Client.Configuration.TLS(certificateFile: certificate), "mqtt.key_file"),
      (Client.Configuration.TLS(authorityFile: certificates.key("client")), "a certificate file holds something else"),
      (
        Client.Configuration.TLS(
          authorityFile: certificates.certificate("ca"), certificateFile: certificate,
          keyFile: certificates.key("server")),
        "a certificate file holds something else"
      ),
    ]
    let broker = try TestBroker(tls: certificates.listener("server"))
    for (tls, words) in table {
      let probe = Probe(
        Client.Configuration(
          brokers: [Broker(host: "127.0.0.1", port: broker.tlsPort, isEncrypted: true)], clientID: "p", tls: tls))
      let end = try await probe.disconnected()
      #expect(end.error.code == .configuration, "\(end.error)")
      #expect(end.error.message.contains(words), "\(end.error)")
      await probe.client.stop()
    }
  }
}
