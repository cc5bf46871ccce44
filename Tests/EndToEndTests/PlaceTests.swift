import BrokerTesting
import Foundation
import Testing

@Suite struct PlaceTests {
  private static let regions =
    "places.regions=[{id: park, name: The park, latitude: 52.5, longitude: 13.4, radius_m: 150}]"
  /// Degrees of latitude to a metre.
  private static let metre = 1 / 111_195.0
  private static let crossings = ["region_entered", "started", "region_left", "stopped"]

  /// The events of crossings and sessions, in the order of their numbers.
  private func story(_ subscriber: Subscriber) -> [String] {
    subscriber.records(of: "walker").sorted { $0["seq"].int < $1["seq"].int }.map { $0["event_type"].text }
      .filter(Self.crossings.contains)
  }

  @Test(.enabled(if: Receiver.isHere, "gpsd and gpsfake are not here (apt-get install gpsd gpsd-clients)"))
  func `gpsd on a track into a region and out of it gives one start and one stop`() async throws {
    let place = try Workplace()
    let subscriber = try await place.subscriber()
    let way =
      Array(stride(from: -500.0, to: 0, by: 20)) + Array(repeating: 0, count: 20)
      + Array(stride(from: 0.0, to: 500, by: 20))
    let receiver = try Receiver(way.map { (52.5 + $0 * Self.metre, 13.4) }, in: place.directory)
    let agent = try RunningAgent(
      journal: place.journal(), port: place.port, "places.source=gpsd", "places.gpsd.host=127.0.0.1",
      "places.gpsd.port=\(receiver.port)", "places.dwell_s=0", Self.regions)
    try await wait("the end of the session", seconds: 120) {
      story(subscriber).contains("stopped") ? true : nil
    }
    let answer = try await place.order("walker", #"{"id":"s","command":"status"}"#, id: "s", heardBy: subscriber)
    #expect(!answer["state"]["started"].bool)
    #expect(try await agent.stop() == 0)
    #expect(story(subscriber) == Self.crossings, "\(agent.logText)\n\(receiver.logText)")
    #expect(!agent.logText.contains("52.5"), "positions are not logged")
    #expect(!subscriber.messages.contains { $0.payload.contains("latitude") }, "positions are not published")
  }

  @Test func `a phone with OwnTracks that enters and leaves gives one start and one stop, and a person is told`()
    async throws
  {
    let place = try Workplace()
    let subscriber = try await place.subscriber()
    let agent = try RunningAgent(
      journal: place.journal(), port: place.port, "places.source=owntracks",
      "places.owntracks.topic=owntracks/anna/phone", "places.dwell_s=0", "places.commands=list",
      "notification.enabled=true", "notification.place=true", Self.regions)
    try await wait("the agent") { subscriber.state(of: "walker") }
    func say(_ metres: Double, accuracy: Int = 12) async throws {
      let latitude = 52.5 + metres * Self.metre
      let time = Int(Date().timeIntervalSince1970)
      try await publish(
        "owntracks/anna/phone",
        #"{"_type":"location","lat":\#(latitude),"lon":13.4,"acc":\#(accuracy),"tst":\#(time)}"#, port: place.port,
        retain: true)
    }
    try await publish("owntracks/anna/phone", #"{"_type":"encrypted","data":"3q2+7w=="}"#, port: place.port)
    try await wait("the word on encryption") { agent.logText.contains("OwnTracks encrypts") ? true : nil }
    for metres in [800.0, 400, 155, 142] { try await say(metres) }
    try await say(0, accuracy: 900)
    #expect(story(subscriber) == [])
    try await say(50)
    try await wait("the start") { story(subscriber).contains("started") ? true : nil }
    let list = try await place.order("walker", #"{"id":"r","command":"regions"}"#, id: "r", heardBy: subscriber)
    #expect(list["data"]["regions"].array.map { $0["state"].text } == ["inside"])
    let shown = try await Product.run("regions", "walker", "--set", "mqtt.brokers=mqtt://127.0.0.1:\(place.port)")
    #expect(shown.status == 0)
    #expect(shown.output.contains("park: inside (The park, 150 m)"), "\(shown.output)")
    try await wait("a word to a person") { subscriber.messages("walker", "notification").first }
    for metres in [140.0, 155, 500] { try await say(metres) }
    try await wait("the stop") { story(subscriber).contains("stopped") ? true : nil }
    #expect(try await agent.stop() == 0)
    #expect(story(subscriber) == Self.crossings, "\(agent.logText)")
    let told = try #require(subscriber.messages("walker", "notification").first)
    #expect(told.json["text"].text == "\(told.json["steps"].int) steps at The park")
  }
}
