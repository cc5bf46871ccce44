internal import Wire

/// A command that was answered, with what is to be sent and acknowledged once the answer is on disk.
struct Reply: Sendable, Equatable {
  var message: UInt64
  /// The command's name; nil if it had none.
  var name: String?
  var response: Response
  var topic: String
  var correlation: [UInt8]
}

/// Where commands queue: they are followed one after the other, in the order in which they came.
struct CommandDesk: Sendable, Equatable {
  /// How many commands may wait.
  static let capacity = 64
  /// How many ids are remembered to tell a repetition (the wire's contract; the journal keeps as many).
  static let memory = 256
  /// How many bytes of answers are remembered here; the journal knows the others.
  static let memoryBytes = 262_144
  /// The longest correlation that an answer can repeat, in bytes: each waits in memory, and on disk until it arrived.
  static let longestCorrelation = 1024

  /// One command, or what is no command.
  struct Task: Sendable, Equatable {
    enum Request: Sendable, Equatable {
      case follow(Command)
      case refuse(CommandRefusal)
    }

    var message: UInt64
    var request: Request
    var topic: String
    var correlation: [UInt8]
    /// When the broker's expiry has passed, in ms on the monotonic clock; nil for never.
    var expires: Int64?

    var id: String? {
      switch request {
      case .follow(let command): command.id
      case .refuse(let refusal): refusal.id
      }
    }
    var name: String? {
      switch request {
      case .follow(let command): command.verb.name
      case .refuse(let refusal): refusal.command
      }
    }
    /// Refuses it, whatever it says.
    mutating func refuse(_ code: Response.Code, _ reason: String) {
      request = .refuse(CommandRefusal(code, reason, id: id, command: name))
    }

    /// Whether following it changes what must be kept.
    var changesState: Bool {
      switch request {
      case .follow(let command):
        switch command.verb {
        case .start, .stop, .calibrateStepLength, .calibrateDistance, .configure: true
        case .status, .query, .announce, .sync, .regions: false
        }
      case .refuse: false
      }
    }
  }

  /// How far the first in the queue has got.
  enum Stage: Sendable, Equatable {
    /// Nothing was done.
    case fresh
    /// The journal is asked whether its id was answered.
    case lookingUp
    /// Its id is new.
    case known
    /// The engine is asked for what it holds back.
    case finishingMotion
    /// Everything counted has to be on disk before the journal is asked.
    case settling
    /// The journal adds up what was walked until then.
    case adding(until: Odometer)
  }

  /// A verdict that waits for the next commit.
  struct Verdict: Sendable, Equatable {
    var task: Task
    var status: Response.Status
    var code: Response.Code
    var reason: String
    var data: [UInt8]?
  }

  private(set) var queue: [Task] = []
  var stage = Stage.fresh
  private(set) var verdicts: [Verdict] = []
  private(set) var refused = 0
  private var recent: [Answer] = []
  private var recentBytes = 0
  private var bucket = TokenBucket(rate: 20, burst: 20)

  var first: Task? { queue.first }

  /// Takes a message in; false when nothing will come of it: it is empty, or too much in every way.
  mutating func take(_ message: Message, _ configuration: Machine.Configuration, at now: Int64) -> Bool {
    let topics = configuration.topics
    let request: Task.Request
    do {
      guard let command = try Command.decode(message.payload) else { return false }
      request = .follow(command)
    } catch {
      request = .refuse(error)
    }
    var task = Task(
      message: message.number, request: request, topic: topics.response, correlation: message.correlation,
      expires: message.expiry.map { now + $0 })
    if let topic = message.responseTopic,
      topics.allowsResponse(to: topic, prefixes: configuration.responsePrefixes)
    {
      task.topic = topic
    }
    if task.correlation.count > Self.longestCorrelation {
      task.refuse(.tooLarge, "the correlation data has more than \(Self.longestCorrelation) bytes")
      task.correlation = []
    }
    if configuration.requiresID, task.id == nil { task.refuse(.notAllowed, "a command needs an id here") }
    let inTime = bucket.take(at: now)
    if message.retained {
      task.refuse(.retained, "commands must not be retained")
    }
    if !inTime || queue.count >= Self.capacity {
      refused += 1
      guard task.id != nil, queue.count < Self.capacity * 2 else { return false }
      task.refuse(
        .busy, inTime ? "\(Self.capacity) commands wait for the disk already" : "more than 20 commands in a second")
    }
    queue.append(task)
    return true
  }

  /// The body of the answer that an id got since the start.
  func recentBody(_ id: String) -> [UInt8]? { recent.last { $0.id == id }?.body }

  /// Whether an id has its verdict, but the answer is not made out yet.
  func isDecided(_ id: String) -> Bool { verdicts.contains { $0.task.id == id } }

  /// Ends the first in the queue with a verdict that goes with the next commit.
  mutating func decide(_ status: Response.Status, _ code: Response.Code, _ reason: String = "", data: [UInt8]? = nil) {
    let task = queue.removeFirst()
    stage = .fresh
    verdicts.append(Verdict(task: task, status: status, code: code, reason: reason, data: data))
  }

  /// The disk refuses: what was changed is not kept, and the answers say so; what was only looked up stays true.
  mutating func fail(_ reason: String) {
    for index in verdicts.indices where verdicts[index].status == .done && verdicts[index].task.changesState {
      verdicts[index].status = .failed
      verdicts[index].code = .internal
      verdicts[index].reason = reason
    }
  }

  /// Ends the first in the queue that was answered before.
  mutating func dismiss() -> Task {
    stage = .fresh
    return queue.removeFirst()
  }

  /// Makes answers of the verdicts.
  mutating func answer(state: [UInt8], seq: Int64, time: Int64) -> [Reply] {
    defer { verdicts = [] }
    return verdicts.map { verdict in
      // Answers of a flood wait in memory by the thousand: they are short.
      let told = verdict.code == .busy ? Array("null".utf8) : state
      let response = Response(
        id: verdict.task.id, command: verdict.task.name, status: verdict.status, code: verdict.code,
        reason: verdict.reason, data: verdict.data, state: told, seq: seq, time: time)
      remember(response)
      return Reply(
        message: verdict.task.message, name: verdict.task.name, response: response, topic: verdict.task.topic,
        correlation: verdict.task.correlation)
    }
  }

  /// Remembers an answer for whoever repeats its id; a later one takes the place of an earlier.
  mutating func remember(_ response: Response) {
    guard let id = response.id else { return }
    recent.append(Answer(id: id, body: response.body))
    recentBytes += response.body.count
    while recent.count > Self.memory || (recentBytes > Self.memoryBytes && recent.count > 1) {
      recentBytes -= recent.removeFirst().body.count
    }
  }
}
