import Wire

/// Tells in a line what a device's message says.
struct Narrator {
  private let hasColours: Bool

  init(hasColours: Bool = Console.hasColours) { self.hasColours = hasColours }

  /// The lines for a message; none for what a person need not see.
  func lines(_ telegram: Telegram) -> [String] {
    let texts: [(String, JSONValue?)] =
      switch telegram.leaf {
      case "steps": telegram.records.map { (steps($0), $0["end"]) }
      case "event": telegram.records.map { (event($0), $0["ts"]) }
      case "history": history(telegram.records)
      case "response": [(answer(telegram.content), telegram["ts"])]
      case "availability": [(telegram.content.text ?? "", nil)]
      case "notification": [(telegram["text"]?.text ?? "", telegram["ts"])]
      default: []
      }
    return texts.map { line(telegram, $0.0, time: $0.1) }
  }

  private func line(_ telegram: Telegram, _ text: String, time: JSONValue?) -> String {
    let clock = time?.text.map { String($0.dropFirst(11).prefix(8)) } ?? "        "
    let leaf = telegram.leaf + String(repeating: " ", count: max(1, 13 - telegram.leaf.count))
    return "\(dim(clock))  \(telegram.device)  \(dim(leaf))\(text)"
  }

  private func steps(_ record: JSONValue) -> String {
    var text = "+\(record["steps"]?.count ?? 0) steps, session \(record["session_steps"]?.count ?? 0)"
    text += ", today \(record["today_steps"]?.count ?? 0)"
    if let cadence = record["cadence_spm"]?.double, cadence > 0 { text += ", \(Text.number(cadence, 0))/min" }
    if let distance = record["distance_m"]?.double, distance > 0 { text += ", \(Text.number(distance, 1)) m" }
    return text
  }

  private func event(_ record: JSONValue) -> String {
    let name = record["event_type"]?.text ?? "?"
    let details = ["activity", "confidence", "reason", "sensor", "file", "step_ms", "region"].compactMap { key in
      record[key]?.text ?? record[key]?.double.map { "\(Text.number($0, 0)) \(key.split(separator: "_").last ?? "")" }
    }
    var text = hasColours ? "\u{1B}[1m\(name)\u{1B}[0m" : name
    if let steps = record["steps"]?.count, name != "activity" { text += " at \(steps) steps" }
    return details.isEmpty ? text : "\(text) (\(details.joined(separator: ", ")))"
  }

  private func history(_ records: [JSONValue]) -> [(String, JSONValue?)] {
    let steps = records.reduce(0) { $0 + ($1["kind"]?.text == "steps" ? $1["steps"]?.count ?? 0 : 0) }
    let start = records.first.map { $0["start"]?.text ?? $0["ts"]?.text ?? "" } ?? ""
    return [
      ("\(records.count) records that were missed, \(steps) steps, since \(start)", records.last?["end"])
    ]
  }

  private func answer(_ content: JSONValue) -> String {
    let command = content["command"]?.text ?? "command"
    let status = content["status"]?.text ?? "?"
    let code = content["code"]?.text ?? "ok"
    let reason = content["reason"]?.text ?? ""
    return "\(command): \(status)" + (code == "ok" ? "" : ", \(code)") + (reason.isEmpty ? "" : " (\(reason))")
  }

  private func dim(_ text: String) -> String { hasColours ? "\u{1B}[2m\(text)\u{1B}[0m" : text }
}
