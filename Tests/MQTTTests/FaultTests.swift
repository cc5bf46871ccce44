import BrokerTesting
import MQTT
import Testing

@Suite(.timeLimit(.minutes(3)), .enabled(if: FaultyLine.program != nil, "the lab's fault proxy is not here (set LABS)"))
struct `A faulty line` {
  @Test(arguments: [
    "rst", "fin", "blackhole", "blackhole up", "blackhole down", "stall", "cutafter 2000", "flip 97", "refuse",
    "silent", "latency 30 20", "rate 4000",
  ])
  func `is survived: each publish is answered once, and in the end all arrive`(fault: String) async throws {
    let broker = try TestBroker()
    let line = try await FaultyLine(to: broker.port)
    let probe = Probe(
      Client.Configuration(broker) {
        $0.brokers = [Broker(host: "127.0.0.1", port: line.port)]
        $0.deadlines.acknowledgement = .seconds(1)
        $0.deadlines.connect = .seconds(1)
      })
    try await probe.connected()
    try await line.set(fault)

    // A caller with a journal: 60 records, each sent again until it is acknowledged.
    var missing = Set<UInt64>(0..<60)
    let giveUp = ContinuousClock.now + .milliseconds(1500)
    var isHealed = false
    let deadline = ContinuousClock.now + .seconds(60)
    while !missing.isEmpty, ContinuousClock.now < deadline {
      if !isHealed, ContinuousClock.now > giveUp {
        try await line.set("ok")
        isHealed = true
      }
      let batch = missing.sorted().prefix(20)
      for token in batch {
        probe.client.publish(OutgoingMessage("a", "\(token) " + String(repeating: "x", count: 80)), token: token)
      }
      for _ in batch {
        let (token, result) = try await probe.wait("answer") { event -> (UInt64, PublishResult)? in
          if case .published(let token, let result) = event { (token, result) } else { nil }
        }
        if case .acknowledged = result { missing.remove(token) }
      }
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(missing.isEmpty)
    await probe.client.stop(within: .seconds(1))
  }
}
