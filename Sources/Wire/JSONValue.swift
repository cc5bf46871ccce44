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
    var parser = JSONParser(bytes, depth: depth)
    return try parser.parse()
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
