import Agent
import MQTT
import Testing

@testable import steps2mqtt

@Suite struct BrokerLinkTests {
  @Test(arguments: [0x80, 0x83, 0x87, 0x97] as [UInt8])
  func `what a broker refuses for now is tried again: no rights, a quota, no reason`(code: UInt8) {
    guard case .denied = PublishOutcome(.refused(ReasonCode(rawValue: code))) else {
      Issue.record("\(code) is taken to be for good")
      return
    }
  }

  @Test(arguments: [0x90, 0x95, 0x99] as [UInt8])
  func `what blames the message is not sent so again: its topic, its size, its form`(code: UInt8) {
    guard case .unacceptable = PublishOutcome(.refused(ReasonCode(rawValue: code))) else {
      Issue.record("\(code) is tried for ever")
      return
    }
  }
}
