import Testing
import Wire

@Suite struct TopicsTests {
  private let topics = Topics(root: "lab", device: "p1", groups: ["a", "b"], homeAssistant: "ha")

  @Test func `a device's topics lie below its own prefix`() {
    let own = [
      topics.availability, topics.info, topics.state, topics.steps, topics.event, topics.history, topics.health,
      topics.command, topics.notification, topics.response, topics.check,
    ]
    #expect(own.allSatisfy { $0.hasPrefix("lab/p1/") })
    #expect(Set(own).count == own.count)
    #expect(topics.discovery == "ha/device/p1/config")
  }

  @Test func `a device listens to its own commands, the fleet's, its groups' and Home Assistant's birth`() {
    #expect(
      topics.subscriptions == [
        "lab/p1/command", "lab/_all/command", "lab/_group/a/command", "lab/_group/b/command", "ha/status",
      ])
    #expect(Topics(device: "p1").subscriptions == ["steps2mqtt/p1/command", "steps2mqtt/_all/command"])
  }

  @Test(arguments: [
    ("p1", true), ("A-z_9", true), (String(repeating: "x", count: 64), true), ("", false), ("a b", false),
    (String(repeating: "x", count: 65), false), ("a/b", false), ("ä", false), ("+", false),
  ])
  func `an id is made of letters, digits, _ and -`(text: String, isID: Bool) {
    #expect(Topics.isID(text) == isID)
  }

  @Test(arguments: [
    ("p1", "sensor.p1_total_steps"), ("Anna-Wrist_1", "sensor.anna_wrist_1_total_steps"),
    ("_a--B__", "sensor.a_b_total_steps"), ("-", "sensor.total_steps"),
  ])
  func `an id gives entity ids that Home Assistant takes`(device: String, entity: String) {
    let json = Discovery(topics: Topics(device: device, homeAssistant: "ha"), name: "", version: "1").json
    #expect(String(decoding: json, as: UTF8.self).contains("\"default_entity_id\":\"\(entity)\""))
  }
}
