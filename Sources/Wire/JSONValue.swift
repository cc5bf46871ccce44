internal import FoundationEssentials

/// Any JSON, as read from a command.
public enum JSONValue: Sendable, Equatable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number without fraction that fits 64 bits.
  case integer(Int64)
  /// Any other number.
  case number(Double)
  /// A string.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object; of repeated keys one wins.
  case object([String: JSONValue])

  /// Reads JSON that is nested at most `depth` levels deep; nil if it is none.
  public init?(json: [UInt8], depth: Int = 32) {
    guard let value = try? JSONValue.parse(json, depth: depth) else { return nil }
    self = value
  }

  /// A member of an object; nil for anything else.
  public subscript(key: String) -> JSONValue? {
    switch self {
    case .object(let members): members[key]
    case .null, .bool, .integer, .number, .string, .array: nil
    }
  }

  /// Why bytes were not taken for JSON.
  enum Fault: Error, Equatable {
    case notUTF8
    case tooDeep(limit: Int)
    case malformed
  }

  /// Reads JSON that is nested at most `depth` levels deep.
  static func parse(_ bytes: [UInt8], depth: Int) throws(Fault) -> JSONValue {
    guard String(validating: bytes, as: UTF8.self) != nil else { throw .notUTF8 }
    guard isNested(bytes, atMost: depth) else { throw .tooDeep(limit: depth) }
    do {
      return try JSONDecoder().decode(JSONValue.self, from: Data(bytes))
    } catch {
      throw .malformed
    }
  }

  /// Looks at brackets outside strings only, so that the decoder's recursion never meets what came from outside.
  private static func isNested(_ bytes: [UInt8], atMost limit: Int) -> Bool {
    var level = 0
    var inString = false
    var escaped = false
    for byte in bytes {
      if inString {
        if escaped {
          escaped = false
        } else if byte == UInt8(ascii: "\\") {
          escaped = true
        } else if byte == UInt8(ascii: "\"") {
          inString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): inString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        level += 1
        if level > limit { return false }
      case UInt8(ascii: "}"), UInt8(ascii: "]"): level -= 1
      default: break
      }
    }
    return true
  }

  /// The number, whole or not; nil for anything else.
  public var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    case .null, .bool, .string, .array, .object: nil
    }
  }

  /// The string; nil for anything else.
  public var text: String? {
    switch self {
    case .string(let value): value
    case .null, .bool, .integer, .number, .array, .object: nil
    }
  }
}

extension JSONValue: Decodable {
  /// Reads whatever comes.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }
}

extension JSONValue: JSONWritable {
  /// Appends this value; an object's members in the order of their keys.
  public func write(to text: inout JSONText) {
    switch self {
    case .null: text.raw(Array("null".utf8))
    case .bool(let value): value.write(to: &text)
    case .integer(let value): value.write(to: &text)
    case .number(let value): value.write(to: &text)
    case .string(let value): value.write(to: &text)
    case .array(let values): values.write(to: &text)
    case .object(let members):
      text.object { object in
        for (key, value) in members.sorted(by: { $0.key < $1.key }) { object.member(key, value) }
      }
    }
  }
}
