import Foundation
import Testing

@Suite(.serialized) struct SessionTests {
  @Test func `a session is started once, stopped, and stays stopped through kill -9`() async throws {
    let place = try Workplace()
    let subscriber = try await place.subscriber()
    var agent: RunningAgent? = try RunningAgent(journal: place.journal(), port: place.port)
    try await wait("the agent") { subscriber.state(of: "walker") }
    #expect(subscriber.state(of: "walker")?["started"].bool == false, "nothing starts by itself")

    let first = try await place.order("walker", #"{"id":"a","command":"start"}"#, id: "a", heardBy: subscriber)
    #expect(first["status"].text == "done")
    #expect(first["code"].text == "ok")
    #expect(first["state"]["started"].bool)
    let second = try await place.order("walker", #"{"id":"b","command":"start"}"#, id: "b", heardBy: subscriber)
    #expect(second["code"].text == "already_started")
    #expect(second["state"]["session_start"].text == first["state"]["session_start"].text)
    let again = try await place.order("walker", #"{"id":"a","command":"start"}"#, id: "a", heardBy: subscriber)
    #expect(again["status"].text == "duplicate")

    agent?.kill()
    agent = try RunningAgent(journal: place.journal(), port: place.port)
    try await wait("the agent") {
      subscriber.messages("walker", "availability").count >= 2 ? subscriber.state(of: "walker") : nil
    }
    let status = try await place.order("walker", #"{"id":"c","command":"status"}"#, id: "c", heardBy: subscriber)
    #expect(status["state"]["started"].bool, "started survives kill -9")
    #expect(status["state"]["session_start"].text == first["state"]["session_start"].text)

    try await publish("steps2mqtt/walker/command", "stop", port: place.port)
    try await wait("the end of the session") { subscriber.state(of: "walker")?["started"].bool == false ? true : nil }
    agent?.kill()
    agent = try RunningAgent(journal: place.journal(), port: place.port)
    let last = try await place.order("walker", #"{"id":"d","command":"status"}"#, id: "d", heardBy: subscriber)
    #expect(!last["state"]["started"].bool, "stopped survives kill -9")
    #expect(try await agent?.stop() == 0)
  }

  @Test func `the other end of the command line starts, asks and stops, and says when it is refused`() async throws {
    let place = try Workplace()
    let subscriber = try await place.subscriber()
    let agent = try RunningAgent(journal: place.journal(), port: place.port)
    try await wait("the agent") { subscriber.state(of: "walker") }
    let broker = "mqtt.brokers=mqtt://127.0.0.1:\(place.port)"

    let start = try await Product.run("start", "walker", "--set", broker)
    #expect(start.status == 0, "\(start.output)")
    #expect(start.output.contains("start: done"))
    let query = try await Product.run("query", "walker", "--from", "1h", "--set", broker)
    #expect(query.status == 0, "\(query.output)")
    let tooEarly = try await Product.run("start", "walker", "--from", "30d", "--set", broker)
    #expect(tooEarly.status == 0, "a session that runs is kept: \(tooEarly.output)")
    #expect(try await Product.run("stop", "walker", "--set", broker).status == 0)
    let refused = try await Product.run("start", "walker", "--from", "30d", "--set", broker)
    #expect(refused.status == 1)
    #expect(refused.output.contains("7 days"), "\(refused.output)")
    let nobody = try await Product.run("status", "nobody", "--timeout", "1", "--set", broker)
    #expect(nobody.status == 1)
    #expect(nobody.output.contains("no answer from nobody"))
    #expect(try await agent.stop() == 0)
    #expect(subscriber.messages("walker", "availability").last?.payload == "offline")
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/Asia/Kolkata"), "no tzdata"))
  func `the wearer's day is by the zone that is set`() async throws {
    let place = try Workplace()
    let subscriber = try await place.subscriber()
    let agent = try RunningAgent(journal: place.journal(), port: place.port, "tracking.time_zone=Asia/Kolkata")
    let info = try await wait("the birth") { subscriber.messages("walker", "info").last?.json }
    #expect(info["utc_offset_s"].int == 19_800)
    #expect(try await agent.stop() == 0)
  }

  @Test func `a retained start is refused, whatever it says`() async throws {
    let place = try Workplace()
    let subscriber = try await place.subscriber()
    try await publish("steps2mqtt/walker/command", #"{"id":"old","command":"start"}"#, port: place.port, retain: true)
    let agent = try RunningAgent(journal: place.journal(), port: place.port)
    let answer = try await wait("the answer") { subscriber.messages("walker", "response").first?.json }
    #expect(answer["code"].text == "retained")
    #expect(answer["status"].text == "rejected")
    #expect(subscriber.state(of: "walker")?["started"].bool == false)
    #expect(try await agent.stop() == 0)
  }

  @Test func `what is no command is answered or ignored, and never ends the agent`() async throws {
    let place = try Workplace()
    let subscriber = try await place.subscriber()
    let agent = try RunningAgent(journal: place.journal(), port: place.port)
    try await wait("the agent") { subscriber.state(of: "walker") }
    let bad: [(String, Data)] = [
      ("too_large", Data(repeating: UInt8(ascii: "x"), count: 1 << 20)),
      ("bad_json", Data([0x7B, 0x22, 0xFF, 0xFE, 0x22, 0x7D])),
      ("bad_json", Data((String(repeating: "[", count: 2000) + String(repeating: "]", count: 2000)).utf8)),
      ("unknown_command", Data("dance".utf8)),
    ]
    for (code, payload) in bad {
      let file = place.directory.appending(path: "payload")
      try payload.write(to: file)
      try await publish("steps2mqtt/walker/command", file: file, port: place.port)
      try await wait("the answer \(code)") {
        subscriber.messages("walker", "response").contains { $0.json["code"].text == code } ? true : nil
      }
    }
    try await publish("steps2mqtt/walker/command", "", port: place.port)
    let answer = try await place.order("walker", #"{"id":"z","command":"status"}"#, id: "z", heardBy: subscriber)
    #expect(answer["status"].text == "done")
    #expect(agent.isRunning)
    #expect(try await agent.stop() == 0)
  }
}
