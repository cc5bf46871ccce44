import BrokerTesting
import Foundation
import Testing

/// Commands as an unkind world sends them, through the built program and real brokers.
@Suite struct CommandFireTests {
  /// What is sent, and how it is answered: the code, or nil for no answer.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let payload: @Sendable () -> [UInt8]
    let code: String?

    var testDescription: String { name }

    init(_ name: String, _ code: String?, _ payload: @autoclosure @escaping @Sendable () -> String) {
      (self.name, self.code, self.payload) = (name, code, { Array(payload().utf8) })
    }

    init(_ name: String, _ code: String?, bytes: @escaping @Sendable () -> [UInt8]) {
      (self.name, self.code, payload) = (name, code, bytes)
    }
  }

  private static let cases: [Case] = [
    Case("1 MiB", "too_large", String(repeating: "x", count: 1 << 20)),
    Case(
      "1 MiB of JSON", "too_large",
      #"{"id":"big","command":"status","x":"\#(String(repeating: "y", count: 1 << 20))"}"#),
    Case("10,000 levels", "too_large", String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)),
    Case("2,000 levels", "bad_json", String(repeating: "[", count: 2000) + String(repeating: "]", count: 2000)),
    Case("9 levels", "bad_json", #"{"id":"nine","command":"status","x":[[[[[[[[1]]]]]]]]}"#),
    Case("bad UTF-8", "bad_json", bytes: { Array(#"{"id":"u"#.utf8) + [0xFF] + Array(#"","command":"status"}"#.utf8) }),
    Case("half a surrogate", "bad_json", #"{"id":"\ud800","command":"status"}"#),
    Case("a number beyond all bounds", "bad_json", #"{"command":"configure","args":{"wearer.height_m":1e999}}"#),
    Case("a NUL", "unknown_command", bytes: { [0] }),
    Case("an id that is a number", "bad_json", #"{"id":7,"command":"status"}"#),
    Case("blanks", nil, "  \n "),
    Case("nothing", nil, ""),
    Case("no command", "unknown_command", "dance"),
    Case("a time to come", "ok", #"{"id":"f","command":"status","ts":"2999-01-01T00:00:00Z","ttl_s":1}"#),
    Case("a start to come", "not_allowed", #"{"id":"s","command":"start","args":{"from":"2999-01-01T00:00:00Z"}}"#),
    Case(
      "more buckets than an answer holds", "not_allowed",
      #"{"id":"q","command":"query","args":{"from":"0001-01-01T00:00:00Z","bucket":1}}"#),
  ]

  @Test func `whatever is sent as a command has its one answer, and the next is followed`() async throws {
    let place = try Workplace()
    let subscriber = try await place.subscriber()
    let agent = try RunningAgent(journal: place.journal(), port: place.port)
    try await wait("the agent") { subscriber.state(of: "walker") }
    for (number, trial) in Self.cases.enumerated() {
      let before = subscriber.messages("walker", "response").count
      let file = place.directory.appending(path: "payload")
      try Data(trial.payload()).write(to: file)
      try await publish("steps2mqtt/walker/command", file: file, port: place.port)
      let mark = "mark\(number)"
      _ = try await place.order("walker", #"{"id":"\#(mark)","command":"status"}"#, id: mark, heardBy: subscriber)
      let answers = subscriber.messages("walker", "response").dropFirst(before).map(\.json)
        .filter { $0["id"].text != mark }
      #expect(answers.map { $0["code"].text } == (trial.code.map { [$0] } ?? []), "\(trial.name)")
      #expect(subscriber.state(of: "walker")?["started"].bool == false, "\(trial.name)")
    }
    #expect(try await agent.stop() == 0, "\(agent.logText)")
  }

  @Test func `a command whose time has passed is expired where the clock is trusted, else followed`() async throws {
    let place = try Workplace()
    let subscriber = try await place.subscriber()
    let agent = try RunningAgent(journal: place.journal(), port: place.port)
    let state = try await wait("the agent") { subscriber.state(of: "walker") }
    let old = #"{"id":"old","command":"start","ts":"2026-01-01T00:00:00Z","ttl_s":60}"#
    let answer = try await place.order("walker", old, id: "old", heardBy: subscriber)
    #expect(answer["status"].text == (state["clock"].text == "synchronized" ? "expired" : "done"))
    #expect(try await agent.stop() == 0)
  }

  @Test func `commands that come twice or late are followed once, in the order in which they came`() async throws {
    let place = try Workplace()
    let subscriber = try await place.subscriber()
    let agent = try RunningAgent(journal: place.journal(), port: place.port)
    try await wait("the agent") { subscriber.state(of: "walker") }
    let sent = ["a start", "b stop", "a start", "d status", "b stop", "c start", "a start", "b stop", "d status"]
    try await flood(
      sent.map { word in
        let parts = word.split(separator: " ")
        return #"{"id":"\#(parts[0])","command":"\#(parts[1])"}"#
      }, place)
    let answers = try await wait("all answers") {
      let all = subscriber.messages("walker", "response").map(\.json)
      return all.count >= sent.count ? all : nil
    }
    #expect(answers.map { $0["id"].text } == sent.map { String($0.prefix(1)) })
    let news = ["done", "done", "duplicate", "done", "duplicate", "done", "duplicate", "duplicate", "duplicate"]
    #expect(answers.map { $0["status"].text } == news)
    #expect(Set(answers.filter { $0["id"].text == "a" }.map { $0["seq"].int }).count == 1, "the first answer again")
    #expect(subscriber.state(of: "walker")?["started"].bool == true, "what was said last holds")
    #expect(try await agent.stop() == 0)
  }

  @Test func `a thousand commands at once have an answer each, and health counts those that were too many`()
    async throws
  {
    let place = try Workplace(broker: ["max_queued_messages 0"])
    let subscriber = try await place.subscriber()
    let agent = try RunningAgent(journal: place.journal(), port: place.port, "tracking.start=always")
    try await wait("steps") { subscriber.steps(of: "walker") > 4 ? true : nil }
    let count = 1000
    try await flood((0..<count).map { #"{"id":"m\#($0)","command":"status"}"# }, place)
    // Each is on the disk before the broker hears that it arrived.
    try await wait("an answer for each", seconds: 120) {
      subscriber.messages("walker", "response").count >= count ? true : nil
    }
    let answers = subscriber.messages("walker", "response").map(\.json)
    #expect(answers.count == count)
    #expect(Set(answers.map { $0["id"].text }).count == count)
    let codes = Dictionary(grouping: answers) { $0["code"].text }.mapValues(\.count)
    #expect(Set(codes.keys).isSubset(of: ["ok", "busy"]), "\(codes)")
    #expect((codes["ok"] ?? 0) >= 20, "\(codes)")
    try await wait("health to count them", seconds: 90) {
      let health = subscriber.messages("walker", "health").last?.json
      return health?["commands_refused"].int == codes["busy"] ?? 0 ? true : nil
    }
    let total = try #require(subscriber.state(of: "walker")?["total_steps"].int)
    try await wait("steps go on") { (subscriber.state(of: "walker")?["total_steps"].int ?? 0) > total ? true : nil }
    #expect(try await agent.stop() == 0, "\(agent.logText)")
  }

  @Test(arguments: ["5", "3.1.1"])
  func `what a bridge brings of a stored command never starts a session twice`(version: String) async throws {
    // A broker of the house, and one at the device that has its topics bridged.
    let house = try TestBroker(isPersistent: true)
    let bridge = [
      "connection house", "address 127.0.0.1:\(house.port)", "topic steps2mqtt/# both 1", "restart_timeout 1",
      "bridge_attempt_unsubscribe false",
    ]
    try await publish(
      "steps2mqtt/walker/command", #"{"id":"old","command":"start"}"#, port: house.port, retain: true)
    house.stop()
    let place = try Workplace(broker: bridge)
    let subscriber = try await place.subscriber()
    let agent = try RunningAgent(
      journal: place.journal(), port: place.port, more: ["mqtt.protocol=\(version)"])
    try await wait("the agent") { subscriber.state(of: "walker") }
    func answers() -> [JSON] { subscriber.messages("walker", "response").map(\.json).filter { $0["id"].text == "old" } }

    try house.start()
    try await wait("the stored command", seconds: 60) { answers().isEmpty ? nil : true }
    // MQTT 5 shows that it was stored; in 3.1.1 nothing does, and it is followed, once.
    #expect(answers()[0]["code"].text == (version == "5" ? "retained" : "ok"))
    _ = try await place.order("walker", #"{"id":"s","command":"stop"}"#, id: "s", heardBy: subscriber)
    for round in 1...2 {
      house.stop()
      try house.start()
      try await wait("it again", seconds: 60) { answers().count > round ? true : nil }
      #expect(answers()[round]["status"].text == "duplicate")
      #expect(subscriber.state(of: "walker")?["started"].bool == false)
    }
    #expect(try await agent.stop() == 0, "\(agent.logText)")
  }

  @Test func `an answer goes to no topic that means something else`() async throws {
    let place = try Workplace()
    let subscriber = try await place.subscriber()
    let agent = try RunningAgent(journal: place.journal(), port: place.port)
    try await wait("the agent") { subscriber.state(of: "walker") }
    let topics = [
      ("walker/state", "walker/response"), ("walker/availability", "walker/response"),
      ("_all/command", "walker/response"), ("other/info", "walker/response"), ("replies/me", "replies/me"),
    ]
    for (number, (asked, given)) in topics.enumerated() {
      let id = "t\(number)"
      try await run(
        "mosquitto_pub",
        ["-p", "\(place.port)", "-q", "1", "-V", "5", "-D", "publish", "response-topic", "steps2mqtt/\(asked)"]
          + ["-t", "steps2mqtt/walker/command", "-m", #"{"id":"\#(id)","command":"status"}"#])
      try await wait("the answer on \(given)") {
        subscriber.messages.contains { $0.topic == "steps2mqtt/\(given)" && $0.json["id"].text == id } ? true : nil
      }
    }
    #expect(try await agent.stop() == 0)
  }

  /// Publishes many commands over one connection, as fast as it takes them.
  private func flood(_ commands: [String], _ place: Workplace) async throws {
    let file = place.directory.appending(path: "flood")
    try Data((commands.joined(separator: "\n") + "\n").utf8).write(to: file)
    let words = "mosquitto_pub -p \(place.port) -q 1 -V 5 -t steps2mqtt/walker/command -l <'\(file.path)'"
    try await run("sh", ["-c", words])
  }
}
