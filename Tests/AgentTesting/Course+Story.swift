internal import Agent
internal import Wire

extension Course {
  /// Adds what a move led to.
  mutating func tell(_ move: String) {
    let sent = world.published[told...].map { publication in
      let json = JSONValue(quick: publication.payload)
      let lane = publication.topic.split(separator: "/").last ?? ""
      if case .array(let records) = json?["records"] { return "\(lane) \(records.compactMap { Self.name($0) })" }
      return "\(lane) \(json.flatMap(Self.name) ?? "")"
    }
    told = world.published.count
    let lines = world.log.suffix(3).joined(separator: " | ")
    story.append("\(world.now.monotonic) \(move): \(sent.joined(separator: ", ")) [\(lines)]")
  }

  private static func name(_ json: JSONValue) -> String? {
    if let id = json["id"]?.text { return "\(id) \(json["status"]?.text ?? "") \(json["code"]?.text ?? "")" }
    if case .integer(let seq) = json["seq"] { return "\(seq) \(json["event_type"]?.text ?? "")" }
    return nil
  }
}
