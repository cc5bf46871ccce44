import Agent
import MQTT
import Testing

@testable import steps2mqtt

@Suite struct BrokerLinkTests {
  @Test(arguments: [ReasonCode.unspecified, ReasonCode(rawValue: 0x83), .notAuthorized, .quotaExceeded])
  func `what a broker refuses for now is tried again: no rights, a quota, no reason`(code: ReasonCode) {
    guard case .denied = PublishOutcome(.refused(code)) else {
      Issue.record("\(code) is taken to be for good")
      return
    }
  }

  @Test(arguments: [ReasonCode.topicNameInvalid, .packetTooLarge, .payloadFormatInvalid])
  func `what blames the message is not sent so again: its topic, its size, its form`(code: ReasonCode) {
    guard case .unacceptable = PublishOutcome(.refused(code)) else {
      Issue.record("\(code) is tried for ever")
      return
    }
  }
}
