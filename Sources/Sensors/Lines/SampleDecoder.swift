import Motion

/// Turns lines `t,x,y,z`, or `x,y,z`, into samples in g, and a fifth column, where there is one, into pressures (hPa).
///
/// A line may end with CR LF and have blanks around its numbers. Empty lines, comments (`#`) and one header (a first
/// line that begins with a letter or a quote) are passed over; every other line that is not four numbers in range is
/// counted. Where lines may lack the time, the first one says whether they do: one that was cut off is then no sample
/// of the other form. Nothing is allocated for a line that is a sample.
struct SampleDecoder: Sendable {
  /// What the first column counts.
  enum TimeUnit: Sendable {
    case seconds, milliseconds
  }

  /// The longest part of a line, in bytes, that a reader keeps until the rest comes; no sample is longer.
  static let longestLine = 1024
  /// Times beyond this are not seconds of any clock (3,000 years): refused, so that nothing waits for them.
  static let latestTime = 1e11

  /// How the lines are written.
  struct Format: Sendable, Equatable {
    var time: TimeUnit
    /// Whether the time may be left out.
    var mayLackTime = false
    var unit = AccelerationUnit.g
    /// Beyond this no accelerometer that a person wears can be meant (in g).
    ///
    /// Where people say the unit it is more: what is in mg and was said to be in g must pass, so that they can be told.
    var strongest: Float = 1000
  }

  private let format: Format
  private let scale: Float
  /// Whether the lines carry their time; nil until the first sample where that is not known beforehand.
  private(set) var isStamped: Bool?
  private(set) var lines = 0
  private(set) var malformed = MalformedLines()
  /// The pressures among what was decoded; whoever takes them removes them.
  var pressures: [RecordingReader.Pressure] = []
  private var mayBeHeader = true

  init(_ format: Format) {
    self.format = format
    scale = format.unit.inG
    isStamped = format.mayLackTime ? nil : true
  }

  /// Starts again with the first line of the same text: its header is a header again, counts go on.
  mutating func rewind() {
    mayBeHeader = true
    lines = 0
  }

  /// Appends the samples of whole lines; the last byte must be a line feed.
  mutating func decode(_ bytes: borrowing Span<UInt8>, into samples: inout [AccelerometerSample]) {
    var at = lines == 0 ? byteOrderMark(bytes) : 0
    while at < bytes.count {
      lines += 1
      let start = at
      var pressure: Float?
      if let (sample, hasTime) = sample(bytes, &at, &pressure), hasTime == isStamped ?? hasTime {
        if let pressure { pressures.append(RecordingReader.Pressure(index: samples.count, pascals: pressure)) }
        samples.append(sample)
        isStamped = hasTime
        mayBeHeader = false
      } else {
        at = start
        while bytes[at] != UInt8(ascii: "\n") { at += 1 }
        passOver(bytes.extracting(start..<at))
        at += 1
      }
    }
  }

  /// Counts a line that is too long to be looked at.
  mutating func decodeOverlong(_ beginning: borrowing Span<UInt8>) {
    lines += 1
    mayBeHeader = false
    malformed.add(line: lines, beginning)
  }

  /// Scans a line; without a time it is 0.
  @inline(__always)
  private func sample(
    _ bytes: borrowing Span<UInt8>, _ at: inout Int, _ pressure: inout Float?
  ) -> (AccelerometerSample, hasTime: Bool)? {
    guard let first = double(bytes, &at), bytes[at] == UInt8(ascii: ",") else { return nil }
    at += 1
    guard let second = float(bytes, &at), bytes[at] == UInt8(ascii: ",") else { return nil }
    at += 1
    guard let third = float(bytes, &at) else { return nil }
    var value = SIMD3(Float(first), second, third)
    let hasTime = bytes[at] == UInt8(ascii: ",")
    if hasTime {
      at += 1
      guard let fourth = float(bytes, &at) else { return nil }
      value = SIMD3(second, third, fourth)
      if bytes[at] == UInt8(ascii: ",") {
        guard let read = self.pressure(bytes, &at) else { return nil }
        pressure = read > 0 ? read * 100 : nil
      }
    }
    if bytes[at] == UInt8(ascii: "\r") { at += 1 }
    guard bytes[at] == UInt8(ascii: "\n") else { return nil }
    at += 1
    let time = hasTime ? format.time == .seconds ? first : first / 1000 : 0
    value *= scale
    guard time.magnitude <= Self.latestTime, value.x.magnitude <= format.strongest,
      value.y.magnitude <= format.strongest, value.z.magnitude <= format.strongest
    else { return nil }
    return (AccelerometerSample(time: time, x: value.x, y: value.y, z: value.z), hasTime)
  }

  @inline(__always)
  private func double(_ bytes: borrowing Span<UInt8>, _ at: inout Int) -> Double? {
    skipBlanks(bytes, &at)
    let start = at
    guard let number = DecimalNumber(scanning: bytes, at: &at) else { return nil }
    let value = number.double ?? Double(text(bytes.extracting(start..<at)))
    skipBlanks(bytes, &at)
    return value
  }

  @inline(__always)
  private func float(_ bytes: borrowing Span<UInt8>, _ at: inout Int) -> Float? {
    skipBlanks(bytes, &at)
    let start = at
    guard let number = DecimalNumber(scanning: bytes, at: &at) else { return nil }
    let value = number.float ?? Float(text(bytes.extracting(start..<at)))
    skipBlanks(bytes, &at)
    return value
  }

  /// The pressure behind a comma, in hPa; 0 for an empty column, nil for what is none.
  private func pressure(_ bytes: borrowing Span<UInt8>, _ at: inout Int) -> Float? {
    at += 1
    skipBlanks(bytes, &at)
    if bytes[at] == UInt8(ascii: "\n") || bytes[at] == UInt8(ascii: "\r") { return 0 }
    guard let value = float(bytes, &at), PressureSample.possible.contains(value * 100) else { return nil }
    return value
  }

  @inline(__always)
  private func skipBlanks(_ bytes: borrowing Span<UInt8>, _ at: inout Int) {
    while bytes[at] == UInt8(ascii: " ") || bytes[at] == UInt8(ascii: "\t") { at += 1 }
  }

  private func text(_ bytes: borrowing Span<UInt8>) -> String {
    var text = ""
    for index in bytes.indices { text.unicodeScalars.append(Unicode.Scalar(bytes[index])) }
    return text
  }

  /// The length of the byte-order mark that some programs put first.
  private func byteOrderMark(_ bytes: borrowing Span<UInt8>) -> Int {
    bytes.count > 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF ? 3 : 0
  }

  /// Looks at a line that is not a sample and counts it, unless it is nothing, a comment or the header.
  private mutating func passOver(_ line: borrowing Span<UInt8>) {
    var at = 0
    while at < line.count, [0x20, 0x09, 0x0D].contains(line[at]) { at += 1 }
    guard at < line.count, line[at] != UInt8(ascii: "#") else { return }
    let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(line[at] | 0x20)
    if mayBeHeader, isLetter || line[at] == UInt8(ascii: "\"") {
      mayBeHeader = false
      return
    }
    mayBeHeader = false
    malformed.add(line: lines, line)
  }
}
