import FoundationEssentials
import Motion
import Sensors

/// Whole files, as this tool needs them.
enum Files {
  /// Returns all samples of a recording.
  static func samples(_ path: String) throws -> [AccelerometerSample] {
    var reader = try RecordingReader(path: path)
    var all: [AccelerometerSample] = []
    var block: [AccelerometerSample] = []
    while try reader.read(into: &block) { all += block }
    return all
  }

  /// Returns the lines of a text, without empty ones.
  static func lines(_ path: String) throws -> [Substring] {
    let data = try Data(contentsOf: URL(filePath: path))
    return String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline)
  }

  /// Returns the numbers of a file of 32-bit floating-point numbers, lowest byte first.
  static func floats(_ path: String) throws -> [Float] {
    let data = [UInt8](try Data(contentsOf: URL(filePath: path)))
    return stride(from: 0, to: data.count - 3, by: 4).map { i in
      let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(data[i + $1]) << UInt32(8 * $1) }
      return Float(bitPattern: bits)
    }
  }

  /// Writes numbers so that `floats` reads them.
  static func write(_ floats: [Float], to path: String) throws {
    var data = Data(capacity: floats.count * 4)
    for value in floats {
      let bits = value.bitPattern
      for byte in 0..<4 { data.append(UInt8(truncatingIfNeeded: bits >> UInt32(8 * byte))) }
    }
    try data.write(to: URL(filePath: path))
  }
}
