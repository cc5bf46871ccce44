import BrokerTesting
import Foundation
import Testing

@Suite struct NameTests {
  @Test(.enabled(if: OwnMounts.areHere, "mounts of its own for a process need root, or user namespaces"))
  func `a name that loses its address while the agent runs is looked up again, and nothing is lost`() async throws {
    let place = try Workplace(seed: 2)
    let subscriber = try await place.subscriber()
    let hosts = place.directory.appending(path: "hosts")
    /// In place, since the mount is of the file.
    func write(_ text: String) throws {
      let file = try FileHandle(forWritingTo: hosts)
      try file.truncate(atOffset: 0)
      try file.write(contentsOf: Data(text.utf8))
      try file.close()
    }
    let (known, unknown) = ("127.0.0.1 localhost\n127.0.0.1 broker.invalid\n", "127.0.0.1 localhost\n")
    try Data(known.utf8).write(to: hosts)
    let agent = try RunningAgent(
      journal: place.journal(), port: place.port, recording: place.recording, speed: "10", "tracking.start=always",
      "mqtt.replay_rate=0", more: ["mqtt.brokers=mqtt://broker.invalid:\(place.port)"], exitAtEnd: true,
      under: OwnMounts.after("mount --bind '\(hosts.path)' /etc/hosts"))
    try await wait("the first steps") { subscriber.steps(of: "walker") > 10 ? true : nil }
    try write(unknown)
    place.broker.kill()
    try await wait("the name to be missed", seconds: 60) {
      agent.logText.contains("'broker.invalid' has no address") ? true : nil
    }
    try place.broker.start()
    let next = try await place.subscriber()
    try write(known)
    #expect(try await agent.waitForEnd() == 0, "\(agent.logText)")
    let counted = try await Product.count(place.recording)
    let both = [subscriber, next]
    try await wait("all steps") { Subscriber.steps(of: "walker", at: both) >= counted ? true : nil }
    #expect(Subscriber.steps(of: "walker", at: both) == counted)
  }
}
