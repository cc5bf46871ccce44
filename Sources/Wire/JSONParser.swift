/// Reads JSON (RFC 8259) strictly, with a bound on nesting, so that nothing that comes from outside can exhaust the stack.
struct JSONParser {
  private let bytes: [UInt8]
  private var position = 0
  private let limit: Int
  private var level = 0

  /// Makes a parser of bytes that are nested at most `limit` levels deep.
  init(_ bytes: [UInt8], depth limit: Int) {
    self.bytes = bytes
    self.limit = limit
  }

  /// Reads one value, with nothing but blanks around it.
  mutating func parse() throws(JSONValue.Fault) -> JSONValue {
    guard String(validating: bytes, as: UTF8.self) != nil else { throw .notUTF8 }
    let value = try value()
    skipBlanks()
    guard position == bytes.count else { throw .malformed }
    return value
  }

  private mutating func value() throws(JSONValue.Fault) -> JSONValue {
    skipBlanks()
    switch peek {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  /// The byte at the position; 0, which JSON never holds there, at the end.
  private var peek: UInt8 { position < bytes.count ? bytes[position] : 0 }

  private mutating func skipBlanks() {
    while peek == 0x20 || peek == 0x0A || peek == 0x0D || peek == 0x09 { position += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek == byte, position < bytes.count else { return false }
    position += 1
    return true
  }

  private mutating func descend() throws(JSONValue.Fault) {
    position += 1
    level += 1
    guard level <= limit else { throw .tooDeep(limit: limit) }
  }

  private mutating func object() throws(JSONValue.Fault) -> JSONValue {
    try descend()
    defer { level -= 1 }
    var members: [String: JSONValue] = [:]
    skipBlanks()
    if take(UInt8(ascii: "}")) { return .object(members) }
    repeat {
      skipBlanks()
      guard peek == UInt8(ascii: "\"") else { throw .malformed }
      let key = try string()
      skipBlanks()
      guard take(UInt8(ascii: ":")) else { throw .malformed }
      members[key] = try value()
      skipBlanks()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw .malformed }
    return .object(members)
  }

  private mutating func array() throws(JSONValue.Fault) -> JSONValue {
    try descend()
    defer { level -= 1 }
    var values: [JSONValue] = []
    skipBlanks()
    if take(UInt8(ascii: "]")) { return .array(values) }
    repeat {
      values.append(try value())
      skipBlanks()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw .malformed }
    return .array(values)
  }

  private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONValue.Fault) -> JSONValue {
    for byte in word.description.utf8 {
      guard take(byte) else { throw .malformed }
    }
    return value
  }

  private mutating func string() throws(JSONValue.Fault) -> String {
    position += 1
    var text: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): try escape(into: &text)
      case 0..<0x20: throw .malformed
      default: text.append(byte)
      }
    }
    throw .malformed
  }

  private mutating func escape(into text: inout [UInt8]) throws(JSONValue.Fault) {
    let kind = peek
    position += 1
    switch kind {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(kind)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      var code = try hexadecimal()
      if (0xD800..<0xDC00).contains(code) {
        guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else { throw .malformed }
        let low = try hexadecimal()
        guard (0xDC00..<0xE000).contains(low) else { throw .malformed }
        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else { throw .malformed }
      text += UTF8.encode(scalar).map { Array($0) } ?? []
    default: throw .malformed
    }
  }

  private mutating func hexadecimal() throws(JSONValue.Fault) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      switch peek {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): code = code << 4 + UInt32(peek - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): code = code << 4 + UInt32(peek - UInt8(ascii: "a") + 10)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): code = code << 4 + UInt32(peek - UInt8(ascii: "A") + 10)
      default: throw .malformed
      }
      position += 1
    }
    return code
  }

  private mutating func number() throws(JSONValue.Fault) -> JSONValue {
    let start = position
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")) { try digits() }
    var isWhole = true
    if take(UInt8(ascii: ".")) {
      isWhole = false
      try digits()
    }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      isWhole = false
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try digits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isWhole, let integer = Int64(text) { return .integer(integer) }
    guard let number = Double(text), number.isFinite else { throw .malformed }
    return .number(number)
  }

  private mutating func digits() throws(JSONValue.Fault) {
    let start = position
    while peek >= UInt8(ascii: "0") && peek <= UInt8(ascii: "9") { position += 1 }
    guard position > start else { throw .malformed }
  }
}
