import Glibc
import Motion
import Testing

@testable import Sensors

/// A sensor that is read on a clock of its own, and misbehaves as it is told.
private final class FakeSensor {
  var now = 100.0
  /// How long a reading takes, in seconds.
  var takes = 0.001
  var raw: SIMD3<Int64> = [0, 0, 1000]
  var failure: CInt?
  var hurries = 0

  func session(rate: Double = 50) -> PolledSession {
    let sensor = PolledSession.Sensor(
      name: "chip", conversion: IIOConversion(scale: SIMD3(repeating: 0.00980665)),
      read: { () throws(IIOFailure) in
        self.now += self.takes
        if let failure = self.failure { throw IIOFailure(Int(failure), "read the sensor") }
        return self.raw
      }, hurry: { self.hurries += 1 })
    return PolledSession(
      sensor, rate: rate,
      wait: { seconds in
        self.now += max(seconds, 0)
        return true
      }, now: { self.now })
  }
}

struct PolledSessionTests {
  private let sensor = FakeSensor()

  /// Reads until that fails; how many samples came before, and why it ended.
  private func readUntilFailure(_ session: inout PolledSession) -> (samples: Int, SensorError?) {
    var samples = 0
    do throws(SensorError) {
      while sensor.now < 1_000 { samples += try session.read().samples.count }
      return (samples, nil)
    } catch {
      return (samples, error)
    }
  }

  @Test func `reads at its rate and dates a sample at the middle of its reading`() throws {
    var session = sensor.session()
    var samples: [AccelerometerSample] = []
    while sensor.now < 101 { samples += try session.read().samples }
    #expect(abs(samples.count - 50) <= 8)
    for (index, sample) in samples.enumerated() {
      #expect(abs(sample.time - (100.0005 + Double(index) / 50)) < 1e-6)
      #expect(abs(sample.z - 1) < 1e-6)
    }
    #expect(sensor.hurries == 0)
  }

  @Test func `hands samples on after 0.16 s`() throws {
    var session = sensor.session()
    #expect((8...9).contains(try session.read().samples.count))
    #expect(sensor.now < 100.2)
  }

  @Test func `does not catch up on what a slow sensor missed, and hurries it once`() throws {
    sensor.takes = 0.13
    var session = sensor.session()
    for _ in 0..<10 { #expect(try session.read().samples.count <= 2) }
    #expect(sensor.hurries == 1)
  }

  @Test func `bears a failure, and gives up after two seconds of nothing else`() throws {
    var session = sensor.session()
    sensor.failure = EIO
    #expect(try session.read() == DeviceReading(failed: 9))
    sensor.failure = nil
    #expect(try session.read().failed == 0)
    sensor.failure = EREMOTEIO
    let begin = sensor.now
    let (_, error) = readUntilFailure(&session)
    #expect(error == SensorError(.inputOutput, "chip: read the sensor: Remote I/O error; check its wiring"))
    #expect(abs(sensor.now - begin - 2) < 0.1)
  }

  @Test(arguments: [ENODEV, ENOENT])
  func `is gone at once when the device is`(number: CInt) {
    var session = sensor.session()
    sensor.failure = number
    let error = #expect(throws: SensorError.self) { _ = try session.read() }
    #expect(error?.code == .notFound)
  }

  @Test func `does not take the zeros of a frozen sensor for samples`() throws {
    var session = sensor.session()
    sensor.raw = .zero
    #expect(try session.read() == DeviceReading(failed: 9))
    let (samples, error) = readUntilFailure(&session)
    #expect(samples == 0)
    #expect(error == SensorError(.silent, "chip: frozen, gives 0, 0, 0; plug it in again"))
    #expect(sensor.now < 101.2)
  }

  @Test func `does not take a reading of ten seconds for a sample`() throws {
    var session = sensor.session()
    sensor.takes = 10
    let (samples, error) = readUntilFailure(&session)
    #expect(samples == 0)
    #expect(error == SensorError(.silent, "chip: a reading takes 10 s; plug it in again"))
  }
}
