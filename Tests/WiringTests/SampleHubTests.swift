import Host
import MQTT
import Testing

@testable import steps2mqtt

@Suite struct SampleHubTests {
  private let hub: SampleHub

  init() {
    hub = SampleHub(
      SampleLink(Client.Configuration(brokers: [Broker(host: "127.0.0.1", port: 1)], clientID: "hub")),
      template: DeviceTemplate(topic: "phones/+", template: "{1}"), known: [], most: 2, log: Log(level: .error))
  }

  private func hear(_ device: String, at now: ContinuousClock.Instant) {
    hub.route(.message(topic: "phones/\(device)", payload: []), at: now)
  }

  @Test(.timeLimit(.minutes(1)))
  func `a device of which no agent can be made is left alone for a minute`() async {
    let start = ContinuousClock.now
    var newcomers = hub.newcomers.makeAsyncIterator()
    hear("a", at: start)
    #expect(await newcomers.next() == "a")
    hub.leave("a", at: start)
    for second in 1..<60 { hear("a", at: start + .seconds(second)) }
    hear("b", at: start + .seconds(59))
    #expect(await newcomers.next() == "b")
    hear("a", at: start + .seconds(60))
    #expect(await newcomers.next() == "a")
    hear("a", at: start + .seconds(61))
    hear("c", at: start + .seconds(61))
    hub.leave("b", at: start)
    hear("b", at: start + .seconds(62))
    #expect(await newcomers.next() == "b", "neither one that has an agent nor one too many")
  }
}
