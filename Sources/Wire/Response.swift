/// The answer to a command.
public struct Response: Sendable, Equatable {
  /// How a command ended.
  public enum Status: String, Sendable {
    /// It took effect.
    case done
    /// It was not followed.
    case rejected
    /// It came too late.
    case expired
    /// Its id was answered before; the rest is the first answer.
    case duplicate
    /// It was to be followed, but something here broke.
    case failed
  }

  /// Why it ended so.
  public enum Code: String, Sendable {
    /// All is well.
    case ok
    /// A session was running already.
    case alreadyStarted = "already_started"
    /// Not JSON, or not of a command's form.
    case badJSON = "bad_json"
    /// Too many bytes.
    case tooLarge = "too_large"
    /// No such command.
    case unknownCommand = "unknown_command"
    /// Commands must not be retained.
    case retained
    /// Its time had passed.
    case expired
    /// Too many commands in a second.
    case busy
    /// Understood, but not permitted or out of bounds.
    case notAllowed = "not_allowed"
    /// Something here broke.
    case `internal`
  }

  /// The command's id; nil if it had none.
  public var id: String?
  /// How it ended.
  public var status: Status
  /// Everything that follows the status: JSON members, kept to answer a repeated id in the same words.
  public var body: [UInt8]

  /// Makes an answer whose body was kept from the first one.
  public init(id: String?, status: Status, body: [UInt8]) {
    self.id = id
    self.status = status
    self.body = body
  }

  /// Makes an answer; `data` and `state` are JSON, `seq` is the last record's number, `time` in ms since 1970.
  public init(
    id: String?, command: String?, status: Status, code: Code, reason: String = "", data: [UInt8]? = nil,
    state: [UInt8], seq: Int64, time: Int64
  ) {
    self.id = id
    self.status = status
    body = JSONText.members { text in
      text.member("command", command)
      text.member("code", code.rawValue)
      text.member("reason", reason)
      text.member("data", Raw(json: data))
      text.member("state", Raw(json: state))
      text.member("seq", seq)
      text.member("ts", moment: time)
    }
  }

  /// The payload of the `response` topic.
  public var json: [UInt8] {
    JSONText.object { text in
      text.member("id", id)
      text.member("status", status.rawValue)
      text.members(body)
    }
  }

  /// The same answer without what makes it long, for a broker that does not take it whole.
  ///
  /// What a command did stays true without the state; where it asked for data it has failed.
  public var shortened: Response {
    let members = members
    let hasData = members["data"] ?? .null != .null
    guard hasData else {
      return stripped(
        members, status: status, else: .tooLarge, "the state is left out, since the broker takes no larger answer")
    }
    return stripped(
      ["command": members["command"] ?? .null, "seq": members["seq"] ?? .null, "ts": members["ts"] ?? .null],
      status: status == .done ? .failed : status, else: .tooLarge,
      "the answer is larger than the broker takes: ask for a shorter interval or larger buckets")
  }

  /// The same verdict without what makes it long, for a memory that holds no more; itself where nothing is long.
  public var bare: Response {
    let members = members
    guard members["data"] ?? .null != .null || members["state"] ?? .null != .null else { return self }
    return stripped(members, status: status, else: .internal, "the rest was given up while the disk took nothing")
  }

  /// What stands in the body.
  private var members: [String: JSONValue] {
    guard case .object(let members)? = JSONValue(json: [UInt8(ascii: "{")] + body + [UInt8(ascii: "}")]) else {
      return [:]
    }
    return members
  }

  /// The answer without state and data, and why after what it says.
  private func stripped(_ members: [String: JSONValue], status: Status, else code: Code, _ why: String) -> Response {
    let said = members["reason"]?.text ?? ""
    var seq: Int64 = 0
    if case .integer(let number) = members["seq"] { seq = number }
    return Response(
      id: id, command: members["command"]?.text, status: status,
      code: members["code"]?.text.flatMap(Code.init) ?? code,
      reason: said.isEmpty ? why : "\(said.prefix(100)); \(why)", state: Array("null".utf8), seq: seq,
      time: members["ts"]?.text.flatMap(RFC3339.milliseconds) ?? 0)
  }

  private struct Raw: JSONWritable {
    let json: [UInt8]?
    func write(to text: inout JSONText) { text.raw(json ?? Array("null".utf8)) }
  }
}
