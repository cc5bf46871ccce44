/// A value that can write itself as JSON.
public protocol JSONWritable {
  /// Appends this value, as JSON, to a text under construction.
  func write(to text: inout JSONText)
}

/// JSON under construction: members in the order in which they were added, as the documentation shows them.
///
/// The standard encoder sorts or shuffles keys, leaves out what is nil, and needs a type for each shape; a payload here
/// is written straight into bytes, so that a record's fixed part can be kept and sent again byte for byte.
public struct JSONText: Sendable, Equatable {
  /// The text so far, in UTF-8.
  public private(set) var bytes: [UInt8] = []

  /// Makes an empty text.
  public init() {}

  /// How many bytes room is made for at first: most payloads have less, and growing means copying.
  private static let usualSize = 512

  /// Writes an object whose members the closure adds.
  public static func object(_ add: (inout JSONText) -> Void) -> [UInt8] {
    var text = JSONText()
    text.bytes.reserveCapacity(usualSize)
    text.object(add)
    return text.bytes
  }

  /// Writes members without the braces around them, to be taken into an object later.
  public static func members(_ add: (inout JSONText) -> Void) -> [UInt8] {
    var text = JSONText()
    add(&text)
    return text.bytes
  }

  /// Appends an object whose members the closure adds.
  public mutating func object(_ add: (inout JSONText) -> Void) {
    bytes.append(UInt8(ascii: "{"))
    add(&self)
    bytes.append(UInt8(ascii: "}"))
  }

  /// Adds a member; a nil value is written as `null`.
  public mutating func member(_ key: String, _ value: some JSONWritable) {
    self.key(key)
    value.write(to: &self)
  }

  /// Adds a member whose value is a moment in ms since 1970 (RFC 3339), or `null`.
  public mutating func member(_ key: String, moment: Int64?) {
    self.key(key)
    guard let moment else { return raw(Array("null".utf8)) }
    bytes.append(UInt8(ascii: "\""))
    RFC3339.append(moment, to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Adds a member whose value is an object.
  public mutating func member(_ key: String, _ add: (inout JSONText) -> Void) {
    self.key(key)
    object(add)
  }

  /// Adds members written earlier by `members(_:)`; none if there are no bytes.
  public mutating func members(_ written: [UInt8]) {
    guard !written.isEmpty else { return }
    separate()
    bytes += written
  }

  /// Appends bytes that are JSON already.
  public mutating func raw(_ json: [UInt8]) {
    bytes += json
  }

  /// Appends an array of values.
  public mutating func array<Element>(_ values: [Element], _ write: (Element, inout JSONText) -> Void) {
    bytes.append(UInt8(ascii: "["))
    for (index, value) in values.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      write(value, &self)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  fileprivate mutating func number(_ value: Int64) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    bytes.append(digits: value.magnitude)
  }

  /// Appends a string in quotes; control characters are escaped, slashes are not.
  public mutating func string(_ value: String) {
    bytes.append(UInt8(ascii: "\""))
    let start = bytes.count
    bytes += value.utf8
    // Hardly any has something to be escaped.
    if bytes[start...].contains(where: { !Self.isPlain($0) }) {
      bytes.removeSubrange(start...)
      for byte in value.utf8 { escape(byte) }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case _ where Self.isPlain(byte): bytes.append(byte)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
    case UInt8(ascii: "\n"): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
    case UInt8(ascii: "\r"): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "r")]
    case UInt8(ascii: "\t"): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "t")]
    default:
      let digits = Array("0123456789abcdef".utf8)
      bytes += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }

  /// Adds a member's key; its value must follow.
  public mutating func key(_ key: String) {
    separate()
    string(key)
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func separate() {
    guard let last = bytes.last, last != UInt8(ascii: "{") else { return }
    bytes.append(UInt8(ascii: ","))
  }
}

extension Int: JSONWritable {
  /// Appends the number in decimal digits.
  public func write(to text: inout JSONText) { text.number(Int64(self)) }
}

extension Int64: JSONWritable {
  /// Appends the number in decimal digits.
  public func write(to text: inout JSONText) { text.number(self) }
}

extension Double: JSONWritable {
  /// Appends the shortest text that reads back as this number; `null` for what JSON cannot hold (NaN, infinity).
  public func write(to text: inout JSONText) { text.raw(Array((isFinite ? description : "null").utf8)) }

  /// This number with at most so many decimals, since a sensor's figure has no more meaning.
  func decimals(_ count: Int) -> Double {
    var factor = 1.0
    for _ in 0..<count { factor *= 10 }
    return (self * factor).rounded() / factor
  }
}

extension Bool: JSONWritable {
  /// Appends `true` or `false`.
  public func write(to text: inout JSONText) { text.raw(Array((self ? "true" : "false").utf8)) }
}

extension String: JSONWritable {
  /// Appends the string in quotes.
  public func write(to text: inout JSONText) { text.string(self) }
}

extension Optional: JSONWritable where Wrapped: JSONWritable {
  /// Appends the value, or `null`.
  public func write(to text: inout JSONText) {
    switch self {
    case .some(let value): value.write(to: &text)
    case .none: text.raw(Array("null".utf8))
    }
  }
}

extension Array: JSONWritable where Element: JSONWritable {
  /// Appends an array of the elements.
  public func write(to text: inout JSONText) { text.array(self) { $0.write(to: &$1) } }
}
