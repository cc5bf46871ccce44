import Testing

@testable import steps2mqtt

struct DeviceTemplateTests {
  private let batch = Array(#"{"deviceId":"4F/2a","payload":[]}"#.utf8)

  @Test(
    arguments: [
      ("phones/+/accel", "{1}", "phones/anna/accel", "anna"), ("+/+/a", "{2}-{1}", "x/y/a", "y-x"),
      ("phones/#", "p-{1}", "phones/a/b", "p-a-b"), ("phones", "{device}", "phones", "4F-2a"),
      ("phones/+", "{1}", "phones/Jörg", "J-rg"), ("phones/+", "{1}", "phones/_all", nil),
      ("phones/+", "{1}", "phones/", nil),
    ] as [(String, String, String, String?)])
  func `names a device after its message`(filter: String, template: String, topic: String, id: String?) {
    #expect(DeviceTemplate(topic: filter, template: template).device(topic: topic, payload: batch) == id)
  }

  @Test func `leaves out lines where Sensor Logger has to name the device`() {
    let template = DeviceTemplate(topic: "phones", template: "{device}")
    #expect(template.device(topic: "phones", payload: Array("0,0,0,1".utf8)) == nil)
  }

  @Test(
    arguments: [
      ("sensor.mqtt.device=phone", false), ("sensor.mqtt.device=phone-{1}", true),
      ("sensor.mqtt.device={device}", true),
      ("sensor.mqtt.device=a b{1}", false), ("sensor.mqtt.topic=phones/#/a", false),
      ("sensor.mqtt.topic=phones/+/a", true),
      ("sensor.udp.address=localhost", false), ("sensor.udp.address=::1", true), ("sensor.serial.baud=9601", false),
      ("sensor.serial.baud=9600", true), ("sensor.unit=mg", true), ("sensor.unit=m/s2", true), ("sensor.unit=m", false),
    ])
  func `settings of sources are checked`(option: String, isRight: Bool) {
    let read = Result { try Settings.read(file: nil, environment: [:], options: [option]) }
    #expect(((try? read.get()) != nil) == isRight)
  }

  @Test(arguments: ["", "#", "steps2mqtt/walker/command"])
  func `a topic that hears the agent itself is refused`(topic: String) {
    #expect(throws: SettingsError.self) {
      try Settings.read(file: nil, environment: [:], options: ["sensor.source=mqtt", "sensor.mqtt.topic=\(topic)"])
    }
  }
}
