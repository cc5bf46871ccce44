import BrokerTesting
import MQTT
import Testing

@Suite(.timeLimit(.minutes(2))) struct `A check` {
  @Test(arguments: [Client.Configuration.ProtocolVersion.v5, .v311])
  func `passes at a broker that allows all, and leaves nothing behind`(
    version: Client.Configuration.ProtocolVersion
  ) async throws {
    let broker = try TestBroker()
    let checks = await Client.check(Client.Configuration(broker) { $0.version = version }, topic: "mine/check")
    #expect(checks.map(\.step) == Check.Step.allCases)
    for check in checks {
      guard case .passed = check.outcome else {
        Issue.record("\(check)")
        continue
      }
    }
    #expect(broker.logText.contains("Received DISCONNECT from probe-check"))
  }

  @Test(arguments: [
    (["topic readwrite mine/#"], "-"), (["topic write mine/#"], "subscribe"), (["topic read mine/#"], "publish"),
  ])
  func `tells which right is missing`(rules: [String], missing: String) async throws {
    let broker = try TestBroker(passwords: ["edge": "right"], access: ["user edge"] + rules)
    let configuration = Client.Configuration(broker) {
      $0.username = "edge"
      $0.password = "right"
    }
    let checks = await Client.check(configuration, topic: "mine/check", patience: .seconds(1))
    let failed = checks.filter { if case .failed = $0.outcome { true } else { false } }
    #expect(failed.map(\.step.rawValue) == (missing == "-" ? [] : [missing]), "\(checks)")
    for check in failed {
      if case .failed(let words) = check.outcome { #expect(words.contains("access rules")) }
    }
  }

  @Test func `tells credentials from connection`() async throws {
    let broker = try TestBroker(passwords: ["edge": "right"])
    let refused = await Client.check(Client.Configuration(broker), topic: "mine/check")
    guard case .passed = refused[0].outcome, case .failed = refused[1].outcome else {
      Issue.record("\(refused)")
      return
    }
    let closed = Broker(host: "127.0.0.1", port: try TestBroker.freePort())
    let absent = await Client.check(Client.Configuration(brokers: [closed], clientID: "p"), topic: "mine/check")
    guard case .failed(let words) = absent[0].outcome else {
      Issue.record("\(absent)")
      return
    }
    #expect(words.contains("is the broker running"))
    #expect(absent[1...].allSatisfy { $0.outcome == .skipped })
  }
}
