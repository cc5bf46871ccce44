import Testing

@testable import Sensors

private struct Named: DeviceSession {
  let description: SensorDescription
  let warnings: [String] = []

  init(_ kind: SensorDescription.Kind) { description = SensorDescription(kind: kind, name: "chip") }

  mutating func read() throws(SensorError) -> DeviceReading { DeviceReading() }
}

struct AutoSourceTests {
  private typealias Opening = Result<SensorDescription.Kind, SensorError>

  private func choose(_ first: Opening, _ second: Opening) throws(SensorError) -> SensorDescription {
    try AutoSource.choose(
      first: { () throws(SensorError) in Named(try first.get()) },
      second: { () throws(SensorError) in Named(try second.get()) }
    ).description
  }

  private let gone = SensorError(.notFound, "there is none")
  private let denied = SensorError(.notPermitted, "no rights")

  @Test func `takes the first, else the second, and says why`() throws {
    #expect(try choose(.success(.iio), .success(.evdev)).name == "chip; chosen by auto: IIO comes first")
    let second = try choose(.failure(gone), .success(.evdev))
    #expect(second.kind == .evdev && second.name == "chip; chosen by auto: there is no IIO accelerometer")
  }

  @Test func `keeps to one that is there, though it cannot be opened`() {
    #expect(throws: denied) { try choose(.failure(denied), .success(.evdev)) }
    #expect(throws: denied) { try choose(.failure(gone), .failure(denied)) }
  }

  @Test func `says what else there is where there is nothing`() {
    let error = #expect(throws: SensorError.self) { try choose(.failure(gone), .failure(gone)) }
    #expect(error?.code == .notFound)
    #expect(error?.message.contains("lines, serial, udp or mqtt") == true)
  }
}
