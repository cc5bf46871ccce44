import Sensors
import Testing

@testable import MQTT
@testable import steps2mqtt

/// What the connection that hears samples makes of what a client tells.
@Suite struct SampleInputTests {
  @Test func `no message is kept further than it is looked at`() throws {
    var settings = Settings()
    settings.sensor.mqtt.topic = "t"
    #expect(try settings.sampleClient("sensor").keptPayload == MessageReader.largest + 1)
    #expect(try settings.link().keptPayload == 4097)
  }

  @Test(arguments: [false, true])
  func `a stored message is left out`(isRetained: Bool) {
    let message = IncomingMessage(
      topic: "t", payload: [0x31], qos: .atMostOnce, isRetained: isRetained, properties: MessageProperties(),
      confirmation: nil)
    #expect((MQTTSource.Input(.message(message)) == nil) == isRetained)
  }

  @Test(arguments: [(.zero, false), (.seconds(1), true), (nil, true)] as [(Duration?, Bool)])
  func `only the last broker of the list that cannot be reached interrupts`(wait: Duration?, interrupts: Bool) {
    let heard = MQTTSource.Input(.disconnected(MQTTError(.connectionRefused, "nothing listens"), retryIn: wait))
    #expect((heard != nil) == interrupts)
  }
}
