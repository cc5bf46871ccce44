import Glibc
public import Motion

/// Writes a recording that `RecordingReader` reads: a header, then a line `t,x,y,z` a sample.
///
/// Times to the microsecond, accelerations to the µg (finer than any sensor's noise). Lines are gathered; `flush`
/// hands them to the system, and `deinit` tries to.
public struct RecordingWriter: ~Copyable {
  private static let block = 1 << 16

  private let file: FileDescriptor
  private var buffer: [UInt8] = Array("t,x,y,z\n".utf8)
  /// Pressures that wait for the sample to whose line they belong, in Pa.
  private var pressures: [Float] = []
  /// How many samples were written.
  public private(set) var count = 0

  /// Creates the file, or empties one that is there.
  public init(path: String) throws(SensorError) {
    file = try FileDescriptor(opening: path, flags: O_WRONLY | O_CREAT | O_TRUNC)
  }

  deinit {
    try? file.write(buffer)
  }

  /// Keeps pressures for the next sample's line, whose fifth column has their mean in hPa.
  public mutating func keep(_ readings: [PressureSample]) {
    pressures += readings.map(\.pressure).filter(\.isFinite)
  }

  /// Adds samples; times are written as they are.
  public mutating func write(_ samples: some Sequence<AccelerometerSample>) throws(SensorError) {
    for sample in samples {
      append(sample.time)
      for value in [sample.x, sample.y, sample.z] {
        buffer.append(UInt8(ascii: ","))
        append(Double(value))
      }
      if !pressures.isEmpty {
        buffer.append(UInt8(ascii: ","))
        append(Double(pressures.reduce(0, +)) / Double(pressures.count) / 100)
        pressures.removeAll(keepingCapacity: true)
      }
      buffer.append(UInt8(ascii: "\n"))
      count += 1
      if buffer.count >= Self.block { try flush() }
    }
  }

  /// Hands everything to the system.
  public mutating func flush() throws(SensorError) {
    try file.write(buffer)
    buffer.removeAll(keepingCapacity: true)
  }

  /// Appends a number with six digits behind the point; what is not a number is written so.
  private mutating func append(_ value: Double) {
    guard value.magnitude < 1e12 else {
      buffer.append(contentsOf: "nan".utf8)
      return
    }
    let micro = (value * 1e6).rounded()
    if micro < 0 { buffer.append(UInt8(ascii: "-")) }
    let (whole, fraction) = UInt64(micro.magnitude).quotientAndRemainder(dividingBy: 1_000_000)
    buffer.append(contentsOf: String(whole).utf8)
    buffer.append(UInt8(ascii: "."))
    var place: UInt64 = 100_000
    while place > 0 {
      buffer.append(UInt8(ascii: "0") + UInt8(fraction / place % 10))
      place /= 10
    }
  }
}
