import Testing

@testable import Sensors

/// Messages as gpsd 3.22 writes them, read by the real libgps.
@Suite struct GPSDConnectionTests {
  private let connection: GPSDConnection

  init() throws { connection = GPSDConnection(try GPSLibrary()) }

  private static func position(_ members: String, mode: Int = 3, second: Int = 20) -> String {
    #"{"class":"TPV","device":"/dev/ttyACM0","mode":\#(mode),"time":"2026-11-30T08:00:\#(second).000Z","#
      + #""lat":52.498201333,"lon":-13.4\#(members)}"#
  }

  @Test(arguments: [
    (position(#","epx":9.875,"epy":12.536,"eph":17.100,"sep":30.400"#), 17.1),
    (position(#","epx":3,"epy":4"#), 5.0),
    (position(""), nil),
    (position(#","eph":8.5"#, mode: 2), 8.5),
  ])
  func `a position comes with the accuracy that gpsd tells`(message: String, accuracy: Double?) {
    #expect(
      connection.understand(message)
        == .position(LocationFix(latitude: 52.498201333, longitude: -13.4, accuracy: accuracy)))
  }

  @Test func `the accuracy of a former position is not taken for that of the next`() {
    _ = connection.understand(Self.position(#","eph":17.1"#))
    #expect(
      connection.understand(Self.position("", second: 21))
        == .position(LocationFix(latitude: 52.498201333, longitude: -13.4, accuracy: nil)))
  }

  @Test func `a receiver that repeats itself says nothing new`() {
    let message = Self.position(#","eph":17.1"#)
    #expect(connection.understand(message) != .other)
    #expect(connection.understand(message) == .other)
    #expect(connection.understand(Self.position(#","eph":17.1"#, second: 21)) != .other)
  }

  @Test(arguments: [
    (#"{"class":"TPV","device":"/dev/ttyACM0","mode":0}"#, GPSDReport.other),
    (#"{"class":"TPV","device":"/dev/ttyACM0","mode":1,"time":"2026-11-30T08:00:20.000Z"}"#, .other),
    (#"{"class":"TPV","device":"/dev/ttyACM0","mode":2,"time":"2026-11-30T08:00:20.000Z"}"#, .other),
    (#"{"class":"DEVICES","devices":[]}"#, .noReceiver),
    (#"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0"}]}"#, .other),
    (#"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#, .other),
    (#"{"class":"SKY","device":"/dev/ttyACM0","hdop":0.90,"satellites":[]}"#, .other),
    (#"{"class":"ERROR","message":"no"}"#, .other), ("nothing that gpsd would say", .other), ("", .other),
  ])
  func `what is no position is told apart`(message: String, report: GPSDReport) {
    #expect(connection.understand(message) == report)
  }
}
