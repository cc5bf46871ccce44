import MQTT
import Wire

/// A message of a device, as far as it can be read.
struct DeviceMessage: Sendable {
  /// The device that it is about.
  let device: String
  /// The last part of its topic, such as `steps`.
  let leaf: String
  /// Whether it is the broker's stored copy.
  let isRetained: Bool
  /// What it says.
  let content: JSONValue

  /// Reads a message; nil for one that does not belong to a device below the root.
  init?(_ message: IncomingMessage, root: String) {
    guard message.topic.hasPrefix(root + "/") else { return nil }
    let parts = message.topic.dropFirst(root.count + 1).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    device = String(parts[0])
    leaf = String(parts[1])
    isRetained = message.isRetained
    content = JSONValue(json: message.payload) ?? .string(String(decoding: message.payload, as: UTF8.self))
  }

  /// A member of what it says; nil where there is none.
  subscript(key: String) -> JSONValue? { content[key] }

  /// The records that it carries: itself, or those of a replay.
  var records: [JSONValue] {
    if case .array(let records) = content["records"] { return records }
    return [content]
  }
}

extension JSONValue {
  /// The whole number, at most 10¹² in size, so that those of a message can be added up; nil for anything else.
  var count: Int? { double.flatMap { $0.magnitude <= 1e12 ? Int(exactly: $0) : nil } }

  /// Whether it is `true`.
  var isTrue: Bool { self == .bool(true) }
}
