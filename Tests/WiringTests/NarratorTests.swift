import Testing

@testable import MQTT
@testable import steps2mqtt

/// What `watch` says of messages, whoever sent them.
@Suite struct NarratorTests {
  private func lines(_ leaf: String, _ json: String) throws -> [String] {
    let message = IncomingMessage(
      topic: "steps2mqtt/a/\(leaf)", payload: Array(json.utf8), qos: .atLeastOnce, isRetained: false,
      properties: MessageProperties(), confirmation: nil)
    let heard = try #require(DeviceMessage(message, root: "steps2mqtt"))
    return Narrator(hasColours: false).lines(heard)
  }

  @Test(arguments: [
    #"{"event_type":"pause","steps":12}"#: "pause at 12 steps",
    #"{"event_type":"started","steps":0,"reason":"command"}"#: "started at 0 steps (command)",
    #"{"event_type":"outbox_trimmed","steps":512,"reason":"merged"}"#: "outbox_trimmed (512 steps, merged)",
    #"{"event_type":"record_parked","parked_seq":7,"steps":2,"reason":"too large"}"#:
      "record_parked (2 steps, too large)",
    #"{"event_type":"records_lost","records":3,"steps":40}"#: "records_lost (40 steps)",
    #"{"event_type":"activity","activity":"walking","confidence":"low"}"#: "activity (walking, low)",
  ])
  func `an event's steps are where it happened, or what it is about`(json: String, words: String) throws {
    let lines = try lines("event", json)
    #expect(lines.count == 1)
    #expect(lines.first?.hasSuffix("  \(words)") == true, "\(lines)")
  }

  @Test(arguments: ["9000000000000000000", "-9000000000000000000", "9e18", "1e300", "4611686018427387904"])
  func `numbers that nobody walks are left out, and added up they end nothing`(steps: String) throws {
    let record = #"{"kind":"steps","steps":\#(steps)}"#
    let few = #"{"kind":"steps","steps":2}"#
    let lines = try lines("history", #"{"records":[\#(record),\#(few),\#(record),\#(few)]}"#)
    #expect(lines.first?.contains("4 records that were missed, 4 steps") == true, "\(lines)")
    #expect(try self.lines("steps", record).first?.contains("+0 steps") == true)
  }
}
