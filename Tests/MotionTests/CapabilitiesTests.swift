import Motion
import Testing

struct CapabilitiesTests {
  @Test(
    arguments: [
      (Capabilities(), .unknown, .unknown),
      (Capabilities(accelerometer: .present(rate: 50)), .available, .unknown),
      (Capabilities(accelerometer: .present(rate: nil), barometer: .absent), .available, .noBarometer),
      (Capabilities(accelerometer: .present(rate: 12.5), barometer: .present(rate: 1)), .available, .available),
      (Capabilities(accelerometer: .present(rate: 12.5), barometer: .denied), .available, .noRights),
      (Capabilities(accelerometer: .present(rate: 9), barometer: .present(rate: 1)), .rateTooLow, .rateTooLow),
      (Capabilities(accelerometer: .absent, barometer: .present(rate: 1)), .noSensor, .noSensor),
      (Capabilities(accelerometer: .absent), .noSensor, .noSensor),
      (Capabilities(accelerometer: .denied, barometer: .absent), .noRights, .noBarometer),
      (Capabilities(accelerometer: .unknown, barometer: .absent), .unknown, .noBarometer),
    ] as [(Capabilities, Capabilities.Availability, Capabilities.Availability)])
  func `says what can be measured, or why not`(
    capabilities: Capabilities, steps: Capabilities.Availability, floors: Capabilities.Availability
  ) {
    for capability in Capabilities.Capability.allCases {
      #expect(capabilities[capability] == (capability == .floors ? floors : steps))
    }
  }
}
