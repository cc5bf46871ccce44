import Host
import Wire

/// Tells in a line what a device's message says; what a stranger put into it cannot disturb the terminal.
struct Narrator {
  private let hasColours: Bool
  private let host = HostClock()

  init(hasColours: Bool = Console.hasColours) { self.hasColours = hasColours }

  /// The lines for a message; none for what a person need not see.
  func lines(_ heard: DeviceMessage) -> [String] {
    let texts: [(String, JSONValue?)] =
      switch heard.leaf {
      case "steps": heard.records.map { (steps($0), $0["end"]) }
      case "event": heard.records.map { (event($0), $0["ts"]) }
      case "history": history(heard.records)
      case "response": [(answer(heard.content), heard["ts"])]
      case "availability": [(word(heard.content), nil)]
      case "notification": [(word(heard["text"]), heard["ts"])]
      default: []
      }
    return texts.map { line(heard, $0.0, time: $0.1) }
  }

  private func line(_ heard: DeviceMessage, _ text: String, time: JSONValue?) -> String {
    let moment = time?.text.flatMap(RFC3339.milliseconds).map(clock) ?? "        "
    let leaf = heard.leaf + String(repeating: " ", count: max(1, 13 - heard.leaf.count))
    let device = heard.device.printable(at: 64)
    return "\(dim(moment))  \(device)  \(dim(leaf))\(text)"
  }

  /// The time of day here, of a time in ms since 1970.
  private func clock(_ time: Int64) -> String {
    let local = time + Int64(host.zoneOffset(atWallMilliseconds: time)) * 1000
    return String(RFC3339.text(local).dropFirst(11).prefix(8))
  }

  private func steps(_ record: JSONValue) -> String {
    var text = "+\(record["steps"]?.count ?? 0) steps, session \(record["session_steps"]?.count ?? 0)"
    text += ", today \(record["today_steps"]?.count ?? 0)"
    if let cadence = record["cadence_spm"]?.double, cadence > 0 { text += ", \(Text.number(cadence, 0))/min" }
    if let distance = record["distance_m"]?.double, distance > 0 { text += ", \(Text.number(distance, 1)) m" }
    return text
  }

  /// The events whose steps are the session's so far; those of others are the steps concerned.
  private static let tellingTotals: Set<String> = ["started", "stopped", "pause", "resume"]

  private func event(_ record: JSONValue) -> String {
    let name = word(record["event_type"])
    let steps = record["steps"]?.count
    let isTotal = Self.tellingTotals.contains(name)
    let ofText = ["activity", "confidence", "reason", "sensor", "file", "step_ms", "region"].compactMap { key in
      record[key]?.text?.printable(at: 120)
        ?? record[key]?.double.map { "\(Text.number($0, 0)) \(key.split(separator: "_").last ?? "")" }
    }
    let details = (isTotal ? [] : steps.map { ["\($0) steps"] } ?? []) + ofText
    var text = hasColours ? "\u{1B}[1m\(name)\u{1B}[0m" : name
    if isTotal, let steps { text += " at \(steps) steps" }
    return details.isEmpty ? text : "\(text) (\(details.joined(separator: ", ")))"
  }

  private func history(_ records: [JSONValue]) -> [(String, JSONValue?)] {
    let steps = records.reduce(0) { $0 + ($1["kind"]?.text == "steps" ? $1["steps"]?.count ?? 0 : 0) }
    let start = word(records.first.flatMap { $0["start"] ?? $0["ts"] })
    return [
      ("\(records.count) records that were missed, \(steps) steps, since \(start)", records.last?["end"])
    ]
  }

  private func answer(_ content: JSONValue) -> String {
    let command = word(content["command"])
    let status = word(content["status"])
    let code = word(content["code"])
    let reason = content["reason"]?.text?.printable(at: 200) ?? ""
    return "\(command): \(status)" + (code == "ok" ? "" : ", \(code)") + (reason.isEmpty ? "" : " (\(reason))")
  }

  /// A short text as it may be shown, `?` where there is none.
  private func word(_ value: JSONValue?) -> String { value?.text?.printable(at: 40) ?? "?" }

  private func dim(_ text: String) -> String { hasColours ? "\u{1B}[2m\(text)\u{1B}[0m" : text }
}
