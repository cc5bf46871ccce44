import Motion

/// Turns lines `t,x,y,z` into samples.
///
/// A line may end with CR LF and have blanks around its numbers. Empty lines, comments (`#`) and one header (a first
/// line that begins with a letter or a quote) are passed over; every other line that is not four numbers in range is
/// counted. Nothing is allocated for a line that is a sample.
struct SampleDecoder: Sendable {
  /// What the first column counts.
  enum TimeUnit: Sendable {
    case seconds, milliseconds
  }

  /// The longest part of a line, in bytes, that a reader keeps until the rest comes; no sample is longer.
  static let longestLine = 1024
  /// Times beyond this are not seconds of any clock (3,000 years): refused, so that nothing waits for them.
  private static let latestTime = 1e11
  /// Beyond this no accelerometer that a person wears can be meant (in g).
  private static let strongest: Float = 1000

  private let unit: TimeUnit
  private(set) var lines = 0
  private(set) var malformed = MalformedLines()
  private var mayBeHeader = true

  init(_ unit: TimeUnit) {
    self.unit = unit
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
      if let sample = sample(bytes, &at) {
        samples.append(sample)
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

  @inline(__always)
  private func sample(_ bytes: borrowing Span<UInt8>, _ at: inout Int) -> AccelerometerSample? {
    guard let time = double(bytes, &at), bytes[at] == UInt8(ascii: ",") else { return nil }
    at += 1
    guard let x = float(bytes, &at), bytes[at] == UInt8(ascii: ",") else { return nil }
    at += 1
    guard let y = float(bytes, &at), bytes[at] == UInt8(ascii: ",") else { return nil }
    at += 1
    guard let z = float(bytes, &at) else { return nil }
    if bytes[at] == UInt8(ascii: "\r") { at += 1 }
    guard bytes[at] == UInt8(ascii: "\n") else { return nil }
    at += 1
    let seconds = unit == .seconds ? time : time / 1000
    guard seconds.magnitude <= Self.latestTime else { return nil }
    guard x.magnitude <= Self.strongest, y.magnitude <= Self.strongest, z.magnitude <= Self.strongest else {
      return nil
    }
    return AccelerometerSample(time: seconds, x: x, y: y, z: z)
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
