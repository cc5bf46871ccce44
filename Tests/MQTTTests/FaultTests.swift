import BrokerTesting
import Foundation
import MQTT
import Testing

/// The lab with the proxy whose faults are set at run time; `LABS` says where it is.
enum Lab {
  static let proxy: String? = {
    let labs =
      ProcessInfo.processInfo.environment["LABS"]
      ?? URL(fileURLWithPath: #filePath).appending(path: "../../../../shared/labs").standardizedFileURL.path
    let path = labs + "/brokers/faultproxy.py"
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }()
}

@Suite(.timeLimit(.minutes(3)), .enabled(if: Lab.proxy != nil, "the lab's fault proxy is not here (set LABS)"))
struct `A faulty line` {
  @Test(arguments: [
    "rst", "fin", "blackhole", "blackhole up", "blackhole down", "stall", "cutafter 2000", "flip 97", "refuse",
    "silent", "latency 30 20", "rate 4000",
  ])
  func `is survived: each publish is answered once, and in the end all arrive`(fault: String) async throws {
    let broker = try TestBroker()
    let (port, control) = (try TestBroker.freePort(), try TestBroker.freePort())
    let proxy = try Child("python3", [try #require(Lab.proxy), "\(port)", "\(broker.port)", "\(control)"])
    defer { proxy.end() }
    try await until("proxy") { TestBroker.isListening(port) && TestBroker.isListening(control) }

    let probe = Probe(
      Client.Configuration(broker) {
        $0.brokers = [Broker(host: "127.0.0.1", port: port)]
        $0.deadlines.acknowledgement = .seconds(1)
        $0.deadlines.connect = .seconds(1)
      })
    try await probe.connected()
    try await set(fault, control)

    // A caller with a journal: 60 records, each sent again until it is acknowledged.
    var missing = Set<UInt64>(0..<60)
    let giveUp = ContinuousClock.now + .milliseconds(1500)
    var isHealed = false
    let deadline = ContinuousClock.now + .seconds(60)
    while !missing.isEmpty, ContinuousClock.now < deadline {
      if !isHealed, ContinuousClock.now > giveUp {
        try await set("ok", control)
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

  private func set(_ fault: String, _ control: UInt16) async throws {
    let proxy = try #require(Lab.proxy)
    try await run("python3", [proxy, "ctl", "\(control)"] + fault.split(separator: " ").map(String.init))
  }
}
