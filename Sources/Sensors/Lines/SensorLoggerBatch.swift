internal import FoundationEssentials
import Motion

/// A batch of readings as the app Sensor Logger sends it by MQTT, from a phone or a watch.
///
/// `{"messageId":…,"sessionId":…,"deviceId":…,"payload":[{"name":…,"time":ns,"values":{"x":…,"y":…,"z":…}},…]}`, as its
/// author's PUSHING.md and UNITS.md say; readings of other sensors are passed over.
struct SensorLoggerBatch: Decodable {
  /// Which readings accelerations can be made of, the best first.
  enum Source: Int, Comparable {
    /// Gravity included (Android).
    case total
    /// As the chip gives it, gravity included; in g on iOS unless units are standardised.
    case uncalibrated
    /// Without gravity, and gravity by itself (iOS).
    case sum
    /// Without gravity: no steps can be counted rightly.
    case user

    static func < (left: Source, right: Source) -> Bool { left.rawValue < right.rawValue }
  }

  /// One reading that may be of use.
  struct Reading: Decodable {
    /// Its sensor, in small letters.
    let name: String
    /// When it was taken, in s since 1970.
    let time: Double
    let value: SIMD3<Float>?

    private enum Key: String, CodingKey {
      case name, time, values, x, y, z
    }

    init(from decoder: any Decoder) throws {
      let fields = try decoder.container(keyedBy: Key.self)
      name = try fields.decode(String.self, forKey: .name).lowercased()
      guard Self.names.contains(name) else {
        (time, value) = (0, nil)
        return
      }
      let nanoseconds =
        try (try? fields.decode(Double.self, forKey: .time)) ?? Double(fields.decode(String.self, forKey: .time))
      guard let nanoseconds, nanoseconds.magnitude <= SampleDecoder.latestTime * 1e9 else {
        throw DecodingError.dataCorruptedError(forKey: .time, in: fields, debugDescription: "no time")
      }
      time = nanoseconds / 1e9
      let axes = (try? fields.nestedContainer(keyedBy: Key.self, forKey: .values)) ?? fields
      value = [
        try axes.decode(Float.self, forKey: .x), try axes.decode(Float.self, forKey: .y),
        try axes.decode(Float.self, forKey: .z),
      ]
    }

    private static let names: Set<String> = [
      "totalacceleration", "accelerometeruncalibrated", "accelerometer", "gravity",
    ]
  }

  let messageId: Int?
  let sessionId: String?
  let deviceId: String?
  let payload: [Reading]

  /// Decodes a message; nil where it is no such batch.
  static func decode(_ bytes: [UInt8]) -> SensorLoggerBatch? {
    try? JSONDecoder().decode(SensorLoggerBatch.self, from: Data(bytes))
  }

  /// What accelerations can be made of in this batch, the best of it; nil where there is nothing.
  var source: Source? {
    let names = Set(payload.map(\.name))
    if names.contains("totalacceleration") { return .total }
    if names.contains("accelerometeruncalibrated") { return .uncalibrated }
    guard names.contains("accelerometer") else { return nil }
    return names.contains("gravity") ? .sum : .user
  }

  /// The accelerations in g, by the time that they carry, in the order of it.
  func samples(from source: Source) -> [AccelerometerSample] {
    let metres = AccelerationUnit.metresPerSecondSquared.inG
    switch source {
    case .total: return samples(of: "totalacceleration", scale: metres)
    case .user: return samples(of: "accelerometer", scale: metres)
    case .uncalibrated:
      let samples = samples(of: "accelerometeruncalibrated", scale: 1)
      // Nobody feels 4 g on the average, nor 0.4: the unit is seen by gravity.
      let mean =
        samples.reduce(0) { $0 + ($1.x * $1.x + $1.y * $1.y + $1.z * $1.z).squareRoot() } / Float(samples.count)
      guard mean > 4 else { return samples }
      return self.samples(of: "accelerometeruncalibrated", scale: metres)
    case .sum: return sums(scale: metres)
    }
  }

  private func samples(of name: String, scale: Float) -> [AccelerometerSample] {
    payload.compactMap { reading in
      guard reading.name == name, let value = reading.value else { return nil }
      let scaled = value * scale
      return AccelerometerSample(time: reading.time, x: scaled.x, y: scaled.y, z: scaled.z)
    }.sorted { $0.time < $1.time }
  }

  /// What is felt without gravity, and the gravity that was nearest in time: it changes slowly.
  private func sums(scale: Float) -> [AccelerometerSample] {
    let gravity = samples(of: "gravity", scale: scale)
    guard !gravity.isEmpty else { return [] }
    var index = 0
    return samples(of: "accelerometer", scale: scale).map { sample in
      while index + 1 < gravity.count,
        abs(gravity[index + 1].time - sample.time) <= abs(gravity[index].time - sample.time)
      {
        index += 1
      }
      let down = gravity[index]
      return AccelerometerSample(time: sample.time, x: sample.x + down.x, y: sample.y + down.y, z: sample.z + down.z)
    }
  }
}
