/// The lines that were not samples: how many, and the first few as they were.
public struct MalformedLines: Sendable, Equatable {
  /// A line that is not a sample.
  public struct Line: Sendable, Equatable {
    /// The number of the line, from 1.
    public let number: Int
    /// The beginning of its text (at most 60 bytes, unprintable ones as `?`).
    public let text: String
  }

  /// How many lines are kept for the report.
  static let kept = 5

  /// How many there were.
  public private(set) var count = 0
  /// The first five.
  public private(set) var first: [Line] = []

  /// Makes an empty count.
  public init() {}

  /// Both, one after the other.
  static func + (former: MalformedLines, latter: MalformedLines) -> MalformedLines {
    var all = former
    all.count += latter.count
    all.first += latter.first.prefix(kept - former.first.count)
    return all
  }

  mutating func add(line number: Int, _ bytes: borrowing Span<UInt8>) {
    count += 1
    guard first.count < Self.kept else { return }
    var text = ""
    for index in 0..<min(bytes.count, 60) {
      let byte = bytes[index]
      text.unicodeScalars.append(byte >= 0x20 && byte < 0x7F ? Unicode.Scalar(byte) : "?")
    }
    first.append(Line(number: number, text: text))
  }
}
