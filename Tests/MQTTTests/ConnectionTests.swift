import BrokerTesting
import Glibc
import Testing

@testable import MQTT

@Suite(.timeLimit(.minutes(2))) struct `A connection` {
  @Test func `comes back after the broker, with what is subscribed`() async throws {
    let broker = try TestBroker()
    let probe = Probe(Client.Configuration(broker) { $0.subscriptions = [Subscription("a")] })
    try await probe.connected()
    broker.kill()
    let end = try await probe.disconnected()
    #expect(end.error.code == .connectionLost)
    #expect(end.retryIn != nil)
    try broker.start()
    #expect(try await probe.connected().isPresent == false)
    #expect(try await probe.subscribed() == .granted(.atLeastOnce))
    probe.client.publish(OutgoingMessage("a", "again"), token: 1)
    let message = try await probe.message()
    message.acknowledge()
    #expect(message.text == "again")
    await probe.client.stop()
  }

  @Test func `finds its session again at a broker that stores it`() async throws {
    let broker = try TestBroker(isPersistent: true)
    let probe = Probe(Client.Configuration(broker) { $0.subscriptions = [Subscription("a")] })
    try await probe.connected()
    _ = try await probe.subscribed()
    broker.stop()
    _ = try await probe.disconnected()
    try broker.start()
    #expect(try await probe.connected().isPresent)
    await probe.client.stop()
  }

  @Test func `reports all in flight as failed when it ends`() async throws {
    let broker = try TestBroker()
    let probe = Probe(Client.Configuration(broker))
    try await probe.connected()
    broker.freeze()
    for token in 0..<20 as Range<UInt64> { probe.client.publish(OutgoingMessage("a", "x"), token: token) }
    broker.kill()
    for token in 0..<20 as Range<UInt64> { #expect(try await probe.result(of: token) == .failed) }
    _ = try await probe.disconnected()
    await probe.client.stop()
  }

  @Test func `is given up when a publish is not acknowledged in time`() async throws {
    let broker = try TestBroker()
    let probe = Probe(Client.Configuration(broker) { $0.deadlines.acknowledgement = .milliseconds(300) })
    try await probe.connected()
    broker.freeze()
    probe.client.publish(OutgoingMessage("a", "x"), token: 1)
    #expect(try await probe.result(of: 1) == .failed)
    #expect(try await probe.disconnected().error.code == .unacknowledged)
    broker.thaw()
    try await probe.connected()
    await probe.client.stop()
  }

  @Test func `is given up when an idle broker shows no sign of life`() async throws {
    let broker = try TestBroker()
    let probe = Probe(Client.Configuration(broker) { $0.keepAlive = 5 })
    try await probe.connected()
    // It outlives a keepalive first, so that pings are known to go out and to be answered.
    try await until("ping") { broker.logText.contains("Sending PINGRESP to probe") }
    broker.freeze()
    let frozen = ContinuousClock.now
    let end = try await probe.disconnected()
    #expect(end.error.code == .connectionLost)
    #expect(end.error.message.contains("keepalive"), "\(end.error)")
    #expect(frozen.duration(to: .now) < .seconds(14))
    broker.thaw()
    await probe.client.stop()
  }

  @Test func `is given up when the broker does not answer CONNECT`() async throws {
    let broker = try TestBroker()
    broker.freeze()
    let probe = Probe(Client.Configuration(broker) { $0.deadlines.connect = .milliseconds(300) })
    let end = try await probe.disconnected()
    #expect(end.error.code == .timedOut)
    #expect(end.error.message.contains("CONNACK"))
    broker.thaw()
    try await probe.connected()
    await probe.client.stop()
  }

  @Test func `ends with words that help`() async throws {
    let broker = try TestBroker(passwords: ["edge": "right"])
    let table: [(String?, String?, MQTTError.Code, String)] = [
      ("edge", "wrong", .badCredentials, "refuses user 'edge'"),
      ("nobody", "right", .badCredentials, "refuses user 'nobody'"),
      (nil, nil, .notAuthorized, "set mqtt.username"),
    ]
    for version in [Client.Configuration.ProtocolVersion.v5, .v311] {
      for (user, password, code, words) in table {
        let probe = Probe(
          Client.Configuration(broker) {
            $0.version = version
            $0.username = user
            $0.password = password
            $0.backoff.patience = .seconds(60)
          })
        let end = try await probe.disconnected()
        #expect(end.error.code == code)
        #expect(end.error.message.contains(words), "\(end.error)")
        #expect(end.error.message.contains("wrong") == false)
        #expect(try #require(end.retryIn) >= .seconds(60))
        await probe.client.stop()
      }
    }
  }

  @Test func `to a name that does not exist ends with words that help`() async throws {
    let probe = Probe(Client.Configuration(brokers: [Broker(host: "nowhere.invalid")], clientID: "p"))
    let end = try await probe.disconnected()
    #expect(end.error.code == .hostNotFound)
    #expect(end.error.message.contains("nowhere.invalid"))
    await probe.client.stop()
  }

  @Test func `says in the end that another client may use its id`() async throws {
    // mosquitto 2.0.11 tells the loser of a session nothing, so two clients take turns.
    let broker = try TestBroker()
    let first = Probe(Client.Configuration(broker))
    try await first.connected()
    let second = Probe(Client.Configuration(broker))
    _ = try await first.wait("suspicion") { event in
      if case .disconnected(let error, _) = event, error.message.contains("another client use the id 'probe'") {
        return true
      }
      return nil
    }
    await second.client.stop()
    await first.client.stop()
  }

  @Test func `goes to the next broker of the list`() async throws {
    let broker = try TestBroker()
    let dead = Broker(host: "127.0.0.1", port: try TestBroker.freePort())
    let probe = Probe(Client.Configuration(broker) { $0.brokers.insert(dead, at: 0) })
    let end = try await probe.disconnected()
    #expect(end.error.code == .connectionRefused)
    #expect(end.retryIn == .zero)
    #expect(try await probe.connected().broker.port == broker.port)
    await probe.client.stop()
  }

  @Test func `tries all addresses of a name`() async throws {
    // The broker listens at the second only.
    let broker = try TestBroker()
    let client = Client(Client.Configuration(broker)) { broker in
      ["127.0.0.2", "127.0.0.1"].map { Target(broker: broker, host: $0) }
    }
    let probe = Probe(client)
    try await probe.connected()
    await probe.client.stop()
  }

  @Test func `works with a descriptor that select could not take`() async throws {
    var limit = rlimit()
    unsafe #expect(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
    limit.rlim_cur = min(4096, limit.rlim_max)
    unsafe #expect(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
    let taken = (0..<1100).map { _ in unsafe open("/dev/null", O_RDONLY | O_CLOEXEC) }
    defer { for descriptor in taken { close(descriptor) } }
    try #require(taken.last ?? 0 > 1024)
    let broker = try TestBroker()
    let probe = Probe(Client.Configuration(broker) { $0.subscriptions = [Subscription("a")] })
    try await probe.connected()
    _ = try await probe.subscribed()
    probe.client.publish(OutgoingMessage("a", "x"), token: 1)
    #expect(try await probe.message().topic == "a")
    await probe.client.stop()
  }

  @Test func `leaves its will when it is cut, and not when it is stopped`() async throws {
    let broker = try TestBroker()
    let watcher = Probe(
      Client.Configuration(broker, id: "watcher") { $0.subscriptions = [Subscription("availability")] })
    try await watcher.connected()
    _ = try await watcher.subscribed()

    let will = OutgoingMessage("availability", "offline", isRetained: true)
    // A publish that is never confirmed is the cut: the connection is dropped without DISCONNECT.
    let probe = Probe(
      Client.Configuration(broker) {
        $0.will = will
        $0.subscriptions = [Subscription("cut")]
        $0.deadlines.confirmation = .milliseconds(50)
        $0.backoff = Backoff.Limits(first: .seconds(100))
      })
    try await probe.connected()
    _ = try await probe.subscribed()
    watcher.client.publish(OutgoingMessage("cut", "x"), token: 1)
    let left = try await watcher.message()
    #expect(left.text == "offline")
    #expect(left.isRetained)
    left.acknowledge()
    await probe.client.stop()

    let polite = Probe(Client.Configuration(broker, id: "polite") { $0.will = will })
    try await polite.connected()
    await polite.client.stop(publishing: [OutgoingMessage("availability", "goodbye", isRetained: true)])
    let goodbye = try await watcher.message()
    #expect(goodbye.text == "goodbye")
    goodbye.acknowledge()
    // The broker says so in its own time.
    for _ in 0..<1000 where !broker.logText.contains("Received DISCONNECT from polite") {
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(broker.logText.contains("Received DISCONNECT from polite"))
    let end = try await polite.disconnected()
    #expect(end.error.code == .stopped)
    #expect(end.retryIn == nil)
    await watcher.client.stop()
  }

  @Test func `stops within its limit at a broker that hangs`() async throws {
    let broker = try TestBroker()
    let probe = Probe(Client.Configuration(broker))
    try await probe.connected()
    broker.freeze()
    probe.client.publish(OutgoingMessage("a", "x"), token: 1)
    let start = ContinuousClock.now
    await probe.client.stop(publishing: [OutgoingMessage("b", "y")], within: .milliseconds(300))
    #expect(start.duration(to: .now) < .seconds(2))
    #expect(try await probe.result(of: 1) == .failed)
  }

  @Test func `waits for what is in flight before it stops`() async throws {
    let broker = try TestBroker()
    let probe = Probe(Client.Configuration(broker))
    try await probe.connected()
    for token in 0..<20 as Range<UInt64> { probe.client.publish(OutgoingMessage("a", "x"), token: token) }
    await probe.client.stop(publishing: (0..<30).map { OutgoingMessage("b", "\($0)") })
    for token in 0..<20 as Range<UInt64> {
      #expect(try await probe.result(of: token) == .acknowledged(.noMatchingSubscribers))
    }
    #expect(broker.logText.matches(of: /Received PUBLISH from probe .*'b'/).count == 30)
  }

  @Test func `ends with its task`() async throws {
    let broker = try TestBroker()
    let client = Client(Client.Configuration(broker))
    let task = Task { await client.run() }
    for await event in client.events {
      if case .connected = event { task.cancel() }
    }
    await task.value
    try await until("DISCONNECT") { broker.logText.contains("Received DISCONNECT from probe") }
  }
}
