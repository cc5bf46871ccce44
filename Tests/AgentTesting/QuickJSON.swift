public import Wire

extension JSONValue {
  /// Reads JSON of the agent's own, quickly enough for a million courses; nil if it is none.
  ///
  /// That others can read the payloads too is what the tests of `Wire` prove.
  public init?(quick json: [UInt8]) {
    var reader = QuickJSON(bytes: json)
    guard let value = reader.value(depth: 0), reader.isAtEnd else { return nil }
    self = value
  }
}

/// A small reader of JSON: strings without surrogate escapes, numbers as `Double` understands them.
private struct QuickJSON {
  let bytes: [UInt8]
  var position = 0

  var isAtEnd: Bool { position == bytes.count }

  private var next: UInt8 { position < bytes.count ? bytes[position] : 0 }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  private mutating func take(_ word: StaticString, _ value: JSONValue) -> JSONValue? {
    for byte in Array(word.description.utf8) where !take(byte) { return nil }
    return value
  }

  mutating func value(depth: Int) -> JSONValue? {
    guard depth < 32 else { return nil }
    switch next {
    case UInt8(ascii: "{"): return object(depth: depth)
    case UInt8(ascii: "["): return array(depth: depth)
    case UInt8(ascii: "\""): return string().map(JSONValue.string)
    case UInt8(ascii: "t"): return take("true", .bool(true))
    case UInt8(ascii: "f"): return take("false", .bool(false))
    case UInt8(ascii: "n"): return take("null", .null)
    default: return number()
    }
  }

  private mutating func object(depth: Int) -> JSONValue? {
    var members: [String: JSONValue] = [:]
    position += 1
    if take(UInt8(ascii: "}")) { return .object(members) }
    repeat {
      guard let key = string(), take(UInt8(ascii: ":")), let value = value(depth: depth + 1) else { return nil }
      members[key] = value
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "}")) ? .object(members) : nil
  }

  private mutating func array(depth: Int) -> JSONValue? {
    var values: [JSONValue] = []
    position += 1
    if take(UInt8(ascii: "]")) { return .array(values) }
    repeat {
      guard let value = value(depth: depth + 1) else { return nil }
      values.append(value)
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "]")) ? .array(values) : nil
  }

  private mutating func string() -> String? {
    guard take(UInt8(ascii: "\"")) else { return nil }
    var text: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        text.append(next)
        position += 1
      default: text.append(byte)
      }
    }
    return nil
  }

  private mutating func number() -> JSONValue? {
    let start = position
    var isWhole = true
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): break
      case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "+"): isWhole = false
      default:
        return read(start, isWhole)
      }
      position += 1
    }
    return read(start, isWhole)
  }

  private func read(_ start: Int, _ isWhole: Bool) -> JSONValue? {
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    return isWhole ? Int64(text).map(JSONValue.integer) : Double(text).map(JSONValue.number)
  }
}
