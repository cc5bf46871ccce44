import Motion

/// A device that has been opened, as the thread that reads it sees it.
protocol DeviceSession {
  /// What it is and at which rate it gives samples.
  var description: SensorDescription { get }
  /// What a person should know about how it is read.
  var warnings: [String] { get }

  /// Blocks until samples have come, or for about a second; throws where only opening it again may help.
  mutating func read() throws(SensorError) -> DeviceReading
}

/// What one read of a device gave.
struct DeviceReading: Equatable {
  /// The samples, dated on the boot time; none when nothing came in time.
  var samples: [AccelerometerSample] = []
  /// How many samples before or between them are missing.
  var missing = 0
  /// How many readings failed or cannot be.
  var failed = 0
}
