import MQTT
import Testing

@testable import steps2mqtt

@Suite struct FleetTests {
  /// One that is asked whether it is alive.
  private final class One: Running {
    let isLiving: Bool
    init(isLiving: Bool) { self.isLiving = isLiving }
    func run() async {}
    func stop() async {}
    func configure(_ new: Settings) async throws(MQTTError) {}
    func isAlive() async -> Bool { isLiving }
  }

  @Test(arguments: [([], true), ([true, true], true), ([true, false, true], false), ([false], false)])
  func `one that hangs is enough for the watchdog to be left hungry`(living: [Bool], areAlive: Bool) async {
    #expect(await Fleet.areAlive(living.map { One(isLiving: $0) }) == areAlive)
  }
}
