extension Command {
  /// Reads a payload: a JSON object or one of the bare words `start`, `stop`, `status`, `announce`; nil when it is empty.
  public static func decode(_ payload: [UInt8]) throws(CommandRefusal) -> Command? {
    guard payload.count <= maximumSize else {
      throw CommandRefusal(.tooLarge, "more than \(maximumSize) bytes")
    }
    guard let text = String(validating: payload, as: UTF8.self) else {
      throw CommandRefusal(.badJSON, "the payload is not valid UTF-8")
    }
    let word = text.trimmed
    guard !word.isEmpty else { return nil }
    guard word.first == "{" else { return try bare(word) }
    let members: [String: JSONValue]
    do {
      guard case .object(let object) = try JSONValue.parse(payload, depth: maximumDepth) else {
        throw CommandRefusal(.badJSON, "the payload is not a JSON object")
      }
      members = object
    } catch let fault as JSONValue.Fault {
      switch fault {
      case .notUTF8: throw CommandRefusal(.badJSON, "the payload is not valid UTF-8")
      case .tooDeep(let limit): throw CommandRefusal(.badJSON, "nested more than \(limit) levels deep")
      case .malformed: throw CommandRefusal(.badJSON, "the payload is not valid JSON")
      }
    } catch let refusal as CommandRefusal {
      throw refusal
    } catch {
      throw CommandRefusal(.badJSON, "the payload is not valid JSON")
    }
    return try read(members)
  }

  private static func bare(_ word: String) throws(CommandRefusal) -> Command {
    switch word {
    case "start": return Command(.start(from: nil))
    case "stop": return Command(.stop)
    case "status": return Command(.status)
    case "announce": return Command(.announce)
    case let other where other.first.map { "[\"0123456789-".contains($0) } == true:
      throw CommandRefusal(.badJSON, "a command is a JSON object or a bare word")
    case let other:
      throw CommandRefusal(
        .unknownCommand, "'\(other.prefix(40))' is none of the bare words start, stop, status, announce")
    }
  }

  private static func read(_ members: [String: JSONValue]) throws(CommandRefusal) -> Command {
    var fields = Fields(members: members)
    switch members["id"] {
    case .none, .null: break
    case .string(let id) where isID(id): fields.id = id
    case .some:
      throw CommandRefusal(.badJSON, "id must be a string of 1 to \(maximumIDLength) bytes without control characters")
    }
    guard let name = members["command"]?.text else { throw fields.refusal(.badJSON, "command must be a string") }
    fields.command = String(name.prefix(40))
    let args: [String: JSONValue]
    switch members["args"] {
    case .none, .null: args = [:]
    case .object(let object): args = object
    case .some: throw fields.refusal(.badJSON, "args must be an object")
    }
    var command = Command(id: fields.id, try verb(name, Fields(members: args, id: fields.id, command: name)))
    command.issued = try fields.time("ts")
    if let seconds = try fields.number("ttl_s", in: 0...31_536_000) { command.lifetime = Int64(seconds * 1000) }
    return command
  }

  private static func verb(_ name: String, _ args: Fields) throws(CommandRefusal) -> Verb {
    switch name {
    case "start": return .start(from: try args.time("from"))
    case "stop": return .stop
    case "status": return .status
    case "announce": return .announce
    case "sync": return .sync
    case "regions": return .regions
    case "query":
      guard let from = try args.time("from") else { throw args.refusal(.badJSON, "query needs from") }
      return .query(from: from, to: try args.time("to"), bucket: try args.bucket())
    case "calibrate":
      let length = try args.number("step_length_m", in: Limits.stepLength)
      let distance = try args.number("distance_m", in: 1...100_000)
      switch (length, distance) {
      case (.some(let length), .none): return .calibrateStepLength(length)
      case (.none, .some(let distance)): return .calibrateDistance(distance)
      case (.none, .none), (.some, .some):
        throw args.refusal(.badJSON, "calibrate needs either distance_m or step_length_m")
      }
    case "configure":
      guard !args.members.isEmpty else { throw args.refusal(.badJSON, "configure needs settings in args") }
      return .configure(args.members)
    default:
      throw args.refusal(
        .unknownCommand,
        "'\(name.prefix(40))' is none of start, stop, status, query, calibrate, configure, announce, sync, regions")
    }
  }

  private static func isID(_ text: String) -> Bool {
    (1...maximumIDLength).contains(text.utf8.count) && !text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
  }
}

/// The members of a command's object, read with refusals that name the member.
private struct Fields {
  let members: [String: JSONValue]
  var id: String?
  var command: String?

  func refusal(_ code: Response.Code, _ reason: String) -> CommandRefusal {
    CommandRefusal(code, reason, id: id, command: command.map { String($0.prefix(40)) })
  }

  func time(_ key: String) throws(CommandRefusal) -> Int64? {
    switch members[key] {
    case .none, .null: return nil
    case .string(let text):
      if let time = RFC3339.milliseconds(text) { return time }
    case .some: break
    }
    throw refusal(.badJSON, "\(key) must be a time such as 2026-11-30T08:15:20Z")
  }

  func number(_ key: String, in range: ClosedRange<Double>) throws(CommandRefusal) -> Double? {
    switch members[key] {
    case .none, .null: return nil
    case .some(let value):
      if let number = value.double, range.contains(number) { return number }
      throw refusal(.badJSON, "\(key) must be a number from \(range.lowerBound) to \(range.upperBound)")
    }
  }

  func bucket() throws(CommandRefusal) -> Int64? {
    guard let seconds = try number("bucket", in: 1...604_800) else { return nil }
    return Int64(seconds * 1000)
  }
}

extension String {
  /// The text without blanks and line ends around it.
  fileprivate var trimmed: String {
    func isBlank(_ character: Character) -> Bool { character.isASCII && character.isWhitespace }
    guard let first = firstIndex(where: { !isBlank($0) }), let last = lastIndex(where: { !isBlank($0) }) else {
      return ""
    }
    return String(self[first...last])
  }
}
