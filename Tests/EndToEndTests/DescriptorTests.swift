import BrokerTesting
import Foundation
import Glibc
import Testing

@Suite struct DescriptorTests {
  @Test func `over fifty restarts of its broker the agent opens no more, and a child would inherit nothing`()
    async throws
  {
    let place = try Workplace()
    let config = place.directory.appending(path: "steps2mqtt.yaml")
    func configure(_ round: Int) throws {
      // Whatever concerns the link is changed, so that the next connection is not waited for.
      let text = "mqtt:\n  brokers: ['mqtt://127.0.0.1:\(place.port)']\n  keepalive_s: \(30 + round % 2)\n"
      try Data(text.utf8).write(to: config)
    }
    try configure(0)
    let agent = try RunningAgent(journal: place.journal(), "tracking.start=always", config: config)
    func connections() -> Int { agent.logText.ranges(of: "broker: connected to ").count }
    try await wait("the agent") { connections() == 1 ? true : nil }
    var counts: [Int] = []
    for round in 1...50 {
      place.broker.kill()
      try await wait("the loss") {
        agent.logText.ranges(of: "disconnected: ").count >= counts.count + 1 ? true : nil
      }
      try place.broker.start()
      try configure(round)
      agent.hangUp()
      try await wait("connection \(round + 1)") { connections() > round ? true : nil }
      counts.append(try descriptors(of: agent.pid).count)
    }
    print("descriptors over 50 restarts of the broker: \(counts.first ?? 0), in the end \(counts.last ?? 0)")
    // One connection may still be on its way out.
    #expect((counts.last ?? 0) <= (counts.first ?? 0) + 4, "\(counts)")
    let inherited = try descriptors(of: agent.pid).filter { $0.key > 2 && !$0.value }
    #expect(inherited.isEmpty, "\(inherited.keys.sorted())")
    #expect(try await agent.stop() == 0)
  }

  /// What a process has open, and whether it closes when another program is run.
  private func descriptors(of pid: pid_t) throws -> [Int: Bool] {
    let directory = "/proc/\(pid)/fdinfo"
    var found: [Int: Bool] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
      // One that has been closed meanwhile has nothing to say.
      guard let number = Int(name), let text = try? String(contentsOfFile: "\(directory)/\(name)", encoding: .utf8),
        let flags = text.firstMatch(of: /flags:\s*([0-7]+)/).flatMap({ Int($0.1, radix: 8) })
      else { continue }
      found[number] = flags & 0o2_000_000 != 0
    }
    return found
  }
}
