import BrokerTesting
import Foundation

/// `mosquitto_sub` as an outside client: what it received so far, and waiting for more.
final class Subscriber: Sendable {
  /// One message as it came.
  struct Message: Sendable {
    /// When it came, in s since 1970.
    let time: Double
    let topic: String
    let isRetained: Bool
    let payload: String

    var leaf: String { topic.split(separator: "/").last.map(String.init) ?? "" }
    var json: JSON { JSON(payload) }
  }

  private let process: Child
  private let file: URL

  /// Subscribes to everything; returns when the broker has granted it.
  init(port: UInt16, in directory: URL) async throws {
    file = directory.appending(path: "received-\(UUID().uuidString)")
    process = try Child(
      "mosquitto_sub", ["-p", "\(port)", "-q", "1", "-V", "5", "-t", "#", "-F", "%U\t%t\t%r\t%p"], output: file.path)
    // A message that comes back shows that the subscription stands.
    let mark = "ready/\(UUID().uuidString)"
    try await wait("the subscription") {
      try await publish(mark, "1", port: port)
      return messages.contains { $0.topic == mark } ? true : nil
    }
  }

  /// All messages so far, in order; a line that is being written is not among them.
  var messages: [Message] {
    let text = String(decoding: (try? Data(contentsOf: file)) ?? Data(), as: UTF8.self)
    return text.split(separator: "\n", omittingEmptySubsequences: true).compactMap { line in
      let parts = line.split(separator: "\t", maxSplits: 3, omittingEmptySubsequences: false)
      guard parts.count == 4, let time = Double(parts[0]) else { return nil }
      return Message(time: time, topic: String(parts[1]), isRetained: parts[2] == "1", payload: String(parts[3]))
    }
  }

  /// The messages of a device on one of its topics.
  func messages(_ device: String, _ leaf: String) -> [Message] {
    messages.filter { $0.topic == "steps2mqtt/\(device)/\(leaf)" }
  }

  /// All records of a device, live and replayed, each once.
  func records(of device: String) -> [JSON] {
    var seen: Set<String> = []
    return allRecords(of: device).filter { seen.insert("\($0["epoch"].text)/\($0["seq"].int)").inserted }
  }

  /// The steps that some subscribers got of a device between them, each record once.
  static func steps(of device: String, at subscribers: [Subscriber]) -> Int {
    var seen: Set<String> = []
    return subscribers.flatMap { $0.allRecords(of: device) }
      .filter { seen.insert("\($0["epoch"].text)/\($0["seq"].int)").inserted }
      .reduce(0) { $0 + ($1["kind"].text == "steps" ? $1["steps"].int : 0) }
  }

  /// All records of a device as they came, repetitions included.
  func allRecords(of device: String) -> [JSON] {
    messages.filter { $0.topic.hasPrefix("steps2mqtt/\(device)/") }.flatMap { message -> [JSON] in
      switch message.leaf {
      case "steps", "event": [message.json]
      case "history": message.json["records"].array
      default: []
      }
    }
  }

  /// The steps in the records of a device, each record once.
  func steps(of device: String) -> Int {
    records(of: device).reduce(0) { $0 + ($1["kind"].text == "steps" ? $1["steps"].int : 0) }
  }

  /// The last state of a device.
  func state(of device: String) -> JSON? { messages(device, "state").last?.json }
}

/// Publishes as `mosquitto_pub` does.
func publish(_ topic: String, _ payload: String, port: UInt16, retain: Bool = false) async throws {
  try await run(
    "mosquitto_pub",
    ["-p", "\(port)", "-q", "1", "-V", "5", "-t", topic] + (retain ? ["-r"] : [])
      + (payload.isEmpty ? ["-n"] : ["-m", payload]))
}

/// Publishes the content of a file, which may hold any bytes.
func publish(_ topic: String, file: URL, port: UInt16) async throws {
  try await run("mosquitto_pub", ["-p", "\(port)", "-q", "1", "-V", "5", "-t", topic, "-f", file.path])
}

/// Waits until something is there; fails after some seconds, far longer than it should take.
@discardableResult
func wait<Value>(_ what: String, seconds: Double = 30, for look: () async throws -> Value?) async throws -> Value {
  let deadline = Date(timeIntervalSinceNow: seconds)
  var isLate = false
  // One more look after the deadline: where the machine is busy, time went by and nobody looked.
  while !isLate {
    isLate = Date() >= deadline
    if let value = try await look() { return value }
    try await Task.sleep(for: .milliseconds(20))
  }
  throw Missing(description: "waited \(Int(seconds)) s in vain for \(what)")
}

/// JSON as tests like to read it.
struct JSON: @unchecked Sendable {
  private let value: Any?

  init(_ text: String) { value = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed) }
  private init(value: Any?) { self.value = value }

  subscript(key: String) -> JSON { JSON(value: (value as? [String: Any])?[key]) }
  var array: [JSON] { (value as? [Any] ?? []).map { JSON(value: $0) } }
  var text: String { value as? String ?? "" }
  var int: Int { (value as? NSNumber)?.intValue ?? .min }
  var bool: Bool { value as? Bool ?? false }
  var isThere: Bool { value != nil && !(value is NSNull) }
}

/// What was waited for in vain.
struct Missing: Error, CustomStringConvertible {
  let description: String
}
