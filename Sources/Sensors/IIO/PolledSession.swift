import Glibc
import Motion

/// An accelerometer whose axes are read one by one, at a steady rate: for drivers without a buffer, and without rights.
struct PolledSession: DeviceSession {
  /// What is polled, and by what means.
  struct Sensor {
    /// What it is called, for a person.
    var name: String
    /// How its numbers become g.
    var conversion = IIOConversion()
    /// Reads x, y and z.
    var read: () throws(IIOFailure) -> SIMD3<Int64>
    /// Makes single readings faster, where that can be done.
    var hurry: () -> Void = {}
  }

  /// How long readings are gathered before they are handed on, in seconds.
  private static let gathering = 0.16
  /// A reading that takes so long, in seconds, is none: a frozen device answers after ten.
  private static let longest = 1.0
  /// After failures for so long, in seconds, the device is opened anew.
  private static let patience = 2.0

  let description: SensorDescription
  let warnings: [String]
  private let sensor: Sensor
  private let interval: Double
  private let wait: (Double) -> Bool
  private let now: () -> Double
  private var next: Double
  private var frozen = FrozenCheck()
  /// Since when nothing but failures have come.
  private var failing: Double?
  private var isHurried = false

  /// Polls a sensor at a rate in samples/s; `wait` waits for some seconds and is false when it is time to end.
  init(
    _ sensor: Sensor, rate: Double, warnings: [String] = [], wait: @escaping (Double) -> Bool,
    now: @escaping () -> Double
  ) {
    self.sensor = sensor
    self.warnings = warnings
    self.wait = wait
    self.now = now
    interval = 1 / rate
    next = now()
    description = SensorDescription(kind: .iio, name: "\(sensor.name), polled", rate: rate)
  }

  mutating func read() throws(SensorError) -> DeviceReading {
    var reading = DeviceReading()
    let end = now() + Self.gathering
    repeat {
      guard wait(next - now()) else { return reading }
      let begin = now()
      next = max(next + interval, begin)
      if let sample = try sample(from: begin) {
        failing = nil
        reading.samples.append(sample)
      } else {
        reading.failed += 1
      }
    } while now() < end
    return reading
  }

  /// One reading; nil where it is no good, an error where opening anew may help.
  private mutating func sample(from begin: Double) throws(SensorError) -> AccelerometerSample? {
    let raw: SIMD3<Int64>
    do {
      raw = try sensor.read()
    } catch {
      guard error.number != ENODEV, error.number != ENOENT else {
        throw SensorError(.notFound, "\(sensor.name): gone (\(error.text)); plug it in again")
      }
      return try fail(.inputOutput, "\(error.text); check its wiring", since: begin)
    }
    let took = now() - begin
    guard took < Self.longest else {
      return try fail(.silent, "a reading takes \(Int(took)) s; plug it in again", since: begin)
    }
    if took > interval / 2, !isHurried {
      isHurried = true
      sensor.hurry()
    }
    if frozen.isFrozen(raw, at: now()) {
      throw SensorError(.silent, "\(sensor.name): frozen, gives 0, 0, 0; plug it in again")
    }
    return raw == .zero ? nil : sensor.conversion.sample(raw, at: begin + took / 2)
  }

  /// Notes a failed reading; throws when nothing but failures have come for too long.
  private mutating func fail(
    _ code: SensorError.Code, _ reason: String, since begin: Double
  ) throws(SensorError) -> AccelerometerSample? {
    let first = failing ?? begin
    failing = first
    guard now() - first >= Self.patience else { return nil }
    throw SensorError(code, "\(sensor.name): \(reason)")
  }
}
