import Foundation
import Testing

@Suite struct InterruptedCommandTests {
  @Test func `killed at any moment around a command's acknowledgement, it is followed once and answered once`()
    async throws
  {
    let place = try Workplace()
    let subscriber = try await place.subscriber()
    func births() -> Int { subscriber.messages("walker", "info").count }
    var agent = try RunningAgent(journal: place.journal(), port: place.port)
    try await wait("the agent") { births() > 0 ? true : nil }
    let rounds = 24
    for round in 0..<rounds {
      let verb = round % 2 == 0 ? "start" : "stop"
      let before = births()
      let sending = Task {
        try await publish("steps2mqtt/walker/command", #"{"id":"c\#(round)","command":"\#(verb)"}"#, port: place.port)
      }
      // The command takes some milliseconds to get there, to the disk, and back.
      try await Task.sleep(for: .microseconds(2500 * round))
      agent.kill()
      try await sending.value
      agent = try RunningAgent(journal: place.journal(), port: place.port)
      try await wait("the agent again") { births() > before ? true : nil }
      try await wait("the answer to c\(round)") {
        subscriber.messages("walker", "response").contains { $0.json["id"].text == "c\(round)" } ? true : nil
      }
      try await wait("the state of round \(round)") {
        subscriber.state(of: "walker")?["started"].bool == (verb == "start") ? true : nil
      }
    }
    let last = try await place.order("walker", #"{"id":"z","command":"status"}"#, id: "z", heardBy: subscriber)
    #expect(!last["state"]["started"].bool)
    var again = 0
    for round in 0..<rounds {
      let answers = subscriber.messages("walker", "response").map(\.json).filter { $0["id"].text == "c\(round)" }
      again += answers.count - 1
      #expect(answers.allSatisfy { $0["code"].text == "ok" && $0["reason"].text == "" }, "c\(round)")
      #expect(Set(answers.map { $0["seq"].int }).count == 1, "c\(round): one answer, however often it is told")
    }
    let events = subscriber.records(of: "walker").map { $0["event_type"].text }
    #expect(events.filter { $0 == "started" }.count == rounds / 2)
    #expect(events.filter { $0 == "stopped" }.count == rounds / 2)
    print("killed around \(rounds) commands: each followed once and answered alike, \(again) answers told again")
    #expect(try await agent.stop() == 0)
  }
}
