import Glibc
public import Motion

/// Reads a recording: lines `t,x,y,z` (seconds, g, gravity included), in blocks.
///
/// A fifth column may have the pressure in hPa; it may be empty. With or without a header; CR LF, blank lines and
/// comments (`#`) are fine; lines that are not samples are counted and passed over. Times are handed on as written.
///
///     var reader = try RecordingReader(path: "walk.csv")
///     var samples: [AccelerometerSample] = []
///     while try reader.read(into: &samples) { for sample in samples { … } }
public struct RecordingReader: ~Copyable {
  /// What a barometer read together with a sample.
  public struct Pressure: Sendable, Equatable {
    /// Where the sample is in its block.
    public var index: Int
    /// In Pa.
    public var pascals: Float
  }

  /// A block as it is read, in bytes: a system call is then a small part of the time, and the samples of a block stay
  /// in the processor's second-level cache.
  private static let block = 1 << 16

  private let file: FileDescriptor
  private var buffer: [UInt8]
  private var filled = 0
  private var isSkipping = false
  private var decoder: SampleDecoder

  /// The size of the file, in bytes; 0 where it has none, as a pipe.
  public let size: Int
  /// How many bytes were read so far.
  public private(set) var bytesRead = 0
  /// The lines that were not samples.
  public var malformed: MalformedLines { decoder.malformed }
  /// Whether the lines carry their time.
  var isStamped: Bool { decoder.isStamped ?? true }

  /// The pressures of the latest block, from the fifth column of a recording that has one (hPa).
  public var pressures: [Pressure] { decoder.pressures }

  /// Opens a recording; throws where it is missing, may not be read or is a directory.
  public init(path: String) throws(SensorError) {
    try self.init(FileDescriptor(opening: path, flags: O_RDONLY), SampleDecoder.Format(time: .seconds))
  }

  /// Reads what is open already; the first line is passed over where it may have been begun before.
  init(
    _ file: consuming FileDescriptor, _ format: SampleDecoder.Format, beginsAmidLine: Bool = false
  ) throws(SensorError) {
    let status = try file.status()
    guard !status.isDirectory else {
      throw SensorError(.invalid, "\(file.path): is a directory; name a file of lines t,x,y,z")
    }
    size = status.isRegular ? status.size : 0
    self.file = file
    buffer = [UInt8](repeating: 0, count: Self.block + 1)  // the last byte is kept for a line feed at the end
    decoder = SampleDecoder(format)
    isSkipping = beginsAmidLine
  }

  /// Replaces the content of the array by the samples of the next block; false at the end of the file.
  ///
  /// A block may hold no sample and still not be the end.
  public mutating func read(into samples: inout [AccelerometerSample]) throws(SensorError) -> Bool {
    samples.removeAll(keepingCapacity: true)
    decoder.pressures.removeAll(keepingCapacity: true)
    let count = try file.read(into: &buffer, from: filled, limit: Self.block)
    bytesRead += count
    let searched = filled
    filled += count
    if count == 0 {
      guard filled > 0 else { return false }
      buffer[filled] = UInt8(ascii: "\n")
      filled += 1
    }
    var end = filled
    while end > searched, buffer[end - 1] != UInt8(ascii: "\n") { end -= 1 }
    if end == searched { end = 0 }
    decode(end, &samples)
    if isSkipping {
      filled = 0
    } else if filled > SampleDecoder.longestLine {
      var decoder = decoder  // a copy, since the bytes are borrowed from self
      decoder.decodeOverlong(buffer.span.extracting(0..<filled))
      self.decoder = decoder
      isSkipping = true
      filled = 0
    }
    return true
  }

  /// Goes back to the first line; the counts go on.
  public mutating func rewind() throws(SensorError) {
    try file.rewind()
    decoder.rewind()
    filled = 0
    isSkipping = false
  }

  /// Decodes the lines that end before an index, and moves what is behind it to the front.
  private mutating func decode(_ end: Int, _ samples: inout [AccelerometerSample]) {
    guard end > 0 else { return }
    var start = 0
    if isSkipping {
      while buffer[start] != UInt8(ascii: "\n") { start += 1 }
      start += 1
      isSkipping = false
    }
    var decoder = decoder  // a copy, since the bytes are borrowed from self
    decoder.decode(buffer.span.extracting(start..<end), into: &samples)
    self.decoder = decoder
    for index in end..<filled { buffer[index - end] = buffer[index] }
    filled -= end
  }
}
