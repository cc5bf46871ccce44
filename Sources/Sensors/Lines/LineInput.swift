import Motion

/// Where lines come from while time goes by: a pipe, a port, a socket.
protocol LineInput: ~Copyable {
  /// What becomes readable when lines have come.
  var file: CInt { get }
  /// The lines so far that were not samples.
  var malformed: MalformedLines { get }
  /// Whether lines carry their time.
  var isStamped: Bool { get }
  /// The pressures among what was read last.
  var pressures: [RecordingReader.Pressure] { get }
  /// What a person should know once about who sends.
  var warning: String? { get }

  /// Replaces the content of the array by the samples of what has come.
  mutating func read(into samples: inout [AccelerometerSample]) throws(SensorError) -> LineReading
}

extension LineInput where Self: ~Copyable {
  var warning: String? { nil }
}

/// How a read of lines went.
enum LineReading: Sendable, Equatable {
  /// What had come was read; more comes in its own time.
  case all
  /// So much had come at once that its sender is in a hurry: it is not made to wait.
  case much
  /// Another sender, or one that has started anew, sent what was read.
  case another
  /// No more lines will come.
  case end
}

/// The lines of a pipe, a terminal or a port.
struct TextInput: LineInput, ~Copyable {
  /// After so many bytes at once the sender is in a hurry.
  private static let hurry = 1 << 15

  let file: CInt
  private var reader: RecordingReader

  /// Reads an open file, as `RecordingReader` does.
  init(
    _ file: consuming FileDescriptor, _ format: SampleDecoder.Format, beginsAmidLine: Bool = false
  ) throws(SensorError) {
    self.file = file.raw
    reader = try RecordingReader(file, format, beginsAmidLine: beginsAmidLine)
  }

  var malformed: MalformedLines { reader.malformed }
  var isStamped: Bool { reader.isStamped }
  var pressures: [RecordingReader.Pressure] { reader.pressures }

  mutating func read(into samples: inout [AccelerometerSample]) throws(SensorError) -> LineReading {
    let before = reader.bytesRead
    guard try reader.read(into: &samples) else { return .end }
    return reader.bytesRead - before < Self.hurry ? .all : .much
  }
}
