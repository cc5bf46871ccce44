import Sensors
import Testing

@testable import MQTT
@testable import steps2mqtt

/// What the connection that hears samples makes of what a client tells.
@Suite struct SampleInputTests {
  private func message(_ size: Int, isRetained: Bool = false) -> Client.Event {
    .message(
      IncomingMessage(
        topic: "t", payload: Array(repeating: 0x31, count: size), qos: .atMostOnce, isRetained: isRetained,
        properties: MessageProperties(), confirmation: nil))
  }

  @Test(arguments: [
    (1, 1), (MessageReader.largest, MessageReader.largest),
    (MessageReader.largest + 1, MessageReader.largest + 1), (16 << 20, MessageReader.largest + 1),
  ])
  func `a message is kept no further than it is looked at`(size: Int, kept: Int) {
    guard case .message(_, let payload) = MQTTSource.Input(message(size)) else {
      Issue.record("no message")
      return
    }
    #expect(payload.count == kept)
    #expect(payload.capacity < 2 * kept + 64)
  }

  @Test func `a stored message is left out`() {
    if let input = MQTTSource.Input(message(1, isRetained: true)) { Issue.record("\(input)") }
  }

  @Test(arguments: [(.zero, false), (.seconds(1), true), (nil, true)] as [(Duration?, Bool)])
  func `only the last broker of the list that cannot be reached interrupts`(wait: Duration?, interrupts: Bool) {
    let heard = MQTTSource.Input(.disconnected(MQTTError(.connectionRefused, "nothing listens"), retryIn: wait))
    #expect((heard != nil) == interrupts)
  }
}
