import Motion

/// One scan of a buffer: the raw numbers of three axes and the device's time stamp in nanoseconds.
struct Scan: Sendable, Equatable {
  var raw: SIMD3<Int64>
  /// Nil where the device gives none.
  var stamp: Int64?
}

/// Turns the scans of a buffer into dated samples in g, and notices what is missing or frozen.
struct ScanConverter: Sendable {
  private let name: String
  private let conversion: IIOConversion
  private var clock: StampClock
  private var arrival: ArrivalClock
  private var gaps: GapCounter
  private var frozen = FrozenCheck()
  /// The time of the latest scan, in seconds of boot time.
  private(set) var latest: Double?

  /// For a sensor's name, numbers and clock; its rate in samples/s, and one to go by where it is not known.
  init(name: String, conversion: IIOConversion, clock: StampClock.Kind, rate: Double?, otherwise wanted: Double) {
    self.name = name
    self.conversion = conversion
    self.clock = StampClock(clock)
    arrival = ArrivalClock(rate: rate ?? wanted)
    gaps = GapCounter(rate: rate)
  }

  /// What scans that arrived now mean; throws when the sensor is frozen.
  mutating func take(_ scans: [Scan], at now: ClockReadings) throws(SensorError) -> DeviceReading {
    var reading = DeviceReading()
    let arrivals = arrival.times(of: scans.count, now: now.boot)
    for (scan, arrived) in zip(scans, arrivals) {
      let time: Double
      if let stamp = scan.stamp {
        time = clock.time(of: stamp, at: now)
        reading.missing += gaps.missing(before: time)
      } else {
        time = arrived
      }
      latest = time
      if frozen.isFrozen(scan.raw, at: time) {
        throw SensorError(.silent, "\(name): frozen, gives 0, 0, 0; plug it in again")
      }
      if scan.raw == .zero {
        reading.failed += 1
      } else {
        reading.samples.append(conversion.sample(scan.raw, at: time))
      }
    }
    return reading
  }
}
