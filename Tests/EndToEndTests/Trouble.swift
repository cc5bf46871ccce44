import BrokerTesting
import Foundation
import Testing

/// One thing that can go wrong between an agent and its broker in the middle of a walk, and how it ends.
struct Trouble: Sendable, CustomTestStringConvertible {
  /// What the tests of it share: the line, the broker, and whoever listens.
  final class Scene: Sendable {
    let place: Workplace
    let line: FaultyLine
    let agent: RunningAgent

    init(place: Workplace, line: FaultyLine, agent: RunningAgent) {
      (self.place, self.line, self.agent) = (place, line, agent)
    }

    /// Holds a fault for some seconds.
    func hold(_ fault: String, _ seconds: Double) async throws {
      try await line.set(fault)
      try await Task.sleep(for: .milliseconds(Int(seconds * 1000)))
      try await line.set("ok")
    }
  }

  let name: String
  var settings: [String] = []
  /// Further lines for the broker.
  var broker: [String] = []
  var isPersistent = false
  /// Does it; gives a further subscriber where the first one's broker forgot it.
  let happen: @Sendable (Scene) async throws -> Subscriber?

  init(
    _ name: String, settings: [String] = [], broker: [String] = [], isPersistent: Bool = false,
    happen: @escaping @Sendable (Scene) async throws -> Subscriber?
  ) {
    self.name = name
    self.settings = settings
    self.broker = broker
    self.isPersistent = isPersistent
    self.happen = happen
  }

  /// A fault of the line for some seconds.
  init(_ name: String, line fault: String, seconds: Double, settings: [String] = []) {
    self.init(name, settings: settings) { scene in
      try await scene.hold(fault, seconds)
      return nil
    }
  }

  /// A broker that ends and comes back; meanwhile nobody gets through, until somebody listens again.
  init(_ name: String, isPersistent: Bool, restart: @escaping @Sendable (TestBroker) async throws -> Void) {
    self.init(name, isPersistent: isPersistent) { scene in
      try await scene.line.set("refuse")
      try await restart(scene.place.broker)
      let next = try await scene.place.subscriber()
      try await scene.line.set("ok")
      return next
    }
  }

  var testDescription: String { name }
}

extension Trouble {
  static let all: [Trouble] = [
    Trouble("the line is reset", line: "rst", seconds: 0),
    Trouble("the line is closed in good order", line: "fin", seconds: 0),
    Trouble(
      "the link is half open: nothing arrives on either side", line: "blackhole", seconds: 12,
      settings: ["mqtt.keepalive_s=5"]),
    Trouble("only what we send is lost", line: "blackhole up", seconds: 12, settings: ["mqtt.keepalive_s=5"]),
    Trouble("only what we should hear is lost", line: "blackhole down", seconds: 12, settings: ["mqtt.keepalive_s=5"]),
    Trouble("the line stalls and goes on", line: "stall", seconds: 3),
    Trouble("the line is reset while acknowledgements are under way") { scene in
      for _ in 0..<4 {
        try await scene.line.set("stall down")
        try await Task.sleep(for: .milliseconds(500))
        try await scene.line.set("rst")
        try await scene.line.set("ok")
        try await Task.sleep(for: .milliseconds(500))
      }
      return nil
    },
    Trouble("each packet takes 2 s", line: "latency 1000 50", seconds: 20),
    Trouble("the line carries 20 kB/s", line: "rate 20000", seconds: 20),
    Trouble("the line is cut in the middle of a packet", line: "cutafter 1000", seconds: 3),
    Trouble("connections are refused", line: "refuse", seconds: 4),
    Trouble("connections are taken and never answered") { scene in
      try await scene.line.set("silent")
      try await scene.line.set("rst")
      try await scene.hold("silent", 12)
      return nil
    },
    Trouble("the broker is killed and forgets all", isPersistent: false) { broker in
      broker.kill()
      try broker.start()
    },
    Trouble("the broker is restarted and remembers all", isPersistent: true) { broker in
      broker.stop()
      try broker.start()
    },
    Trouble("the broker is killed and remembers what it had stored", isPersistent: true) { broker in
      broker.kill()
      try broker.start()
    },
    Trouble("the broker hangs and goes on") { scene in
      scene.place.broker.freeze()
      try await Task.sleep(for: .milliseconds(4000))
      scene.place.broker.thaw()
      return nil
    },
    Trouble("the broker takes only small packets", broker: ["max_packet_size 1400"]) { scene in
      try await scene.hold("refuse", 0.5)
      try await scene.line.set("rst")
      return nil
    },
    Trouble("the broker takes only small payloads", broker: ["message_size_limit 900"]) { scene in
      try await scene.line.set("refuse")
      try await scene.line.set("rst")
      try await scene.hold("refuse", 3)
      return nil
    },
  ]
}
