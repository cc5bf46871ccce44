internal import Wire

extension Machine {
  /// The most buckets of one query, so that its answer stays a message.
  private static let largestQuery: Int64 = 200

  /// Takes a message of a subscribed topic.
  mutating func take(_ message: Message, at now: Instant) {
    let topics = configuration.topics
    if message.topic == topics.homeAssistantStatus {
      if message.payload == Array("online".utf8) { announce(at: now) }
      effects.append(.confirm(message: message.number))
      return
    }
    if topics.positions.contains(message.topic) {
      if phase == .running { takePosition(message, at: now) }
      effects.append(.confirm(message: message.number))
      return
    }
    let isAnswered =
      topics.commands.contains(message.topic)
      && desk.take(message, configuration, at: now.monotonic)
    if !isAnswered { effects.append(.confirm(message: message.number)) }
  }

  /// Follows commands for as long as none has to wait for the journal or the engine.
  mutating func followCommands(at now: Instant) {
    while let task = desk.first {
      switch desk.stage {
      case .lookingUp, .finishingMotion, .adding: return
      case .settling:
        askHistory(task, at: now)
        guard desk.first != task else { return }
      case .fresh:
        guard let id = task.id else {
          desk.stage = .known
          continue
        }
        if desk.isDecided(id) || ledger.isKeeping(id) || lateReplies.contains(where: { $0.response.id == id }) {
          return
        }
        if let body = desk.recentBody(id) {
          repeatAnswer(id: id, body: body)
        } else {
          desk.stage = .lookingUp
          effects.append(.journal(.answer(id: id)))
          return
        }
      case .known:
        guard follow(task, at: now) else { return }
      }
    }
  }

  /// Asks the journal for the answers of before the restart of which nobody knows whether they arrived.
  mutating func askForOwed(_ answers: [Owed]) {
    owed = answers
    for answer in answers { effects.append(.journal(.answer(id: answer.id))) }
  }

  /// The journal told whether an id was answered before.
  mutating func lookedUp(_ body: [UInt8]?) {
    if let answer = owed.first {
      owed.removeFirst()
      if let body {
        enqueue(answer.answer(body: body, own: configuration.topics.response))
      }
      return
    }
    guard desk.stage == .lookingUp, let id = desk.first?.id else { return }
    if let body { repeatAnswer(id: id, body: body) } else { desk.stage = .known }
  }

  private mutating func repeatAnswer(id: String, body: [UInt8]) {
    let task = desk.dismiss()
    send(
      Reply(
        message: task.message, name: task.name, response: Response(id: id, status: .duplicate, body: body),
        topic: task.topic, correlation: task.correlation))
  }

  /// Follows one command; false when it has to wait.
  private mutating func follow(_ task: CommandDesk.Task, at now: Instant) -> Bool {
    switch task.request {
    case .refuse(let refusal):
      desk.decide(.rejected, refusal.code, refusal.reason)
      return true
    case .follow(let command):
      let isLate = task.expires.map { now.monotonic > $0 } ?? false
      if isLate || (now.synchronized && command.isExpired(at: now.wall)) {
        desk.decide(.expired, .expired, "its time had passed")
        return true
      }
      return follow(command.verb, at: now)
    }
  }

  private mutating func follow(_ verb: Command.Verb, at now: Instant) -> Bool {
    switch verb {
    case .start(let from):
      if let from, !tally.counts.isRunning { return reachBack(to: from, at: now) }
      overridePlaces()
      if isSessionGuessed, from == nil {
        confirmSession(reason: .command, at: now)
        desk.decide(.done, .ok)
      } else if tally.counts.isRunning {
        desk.decide(.done, .alreadyStarted)
      } else {
        startSession(reason: .command, at: now)
        desk.decide(.done, .ok)
      }
    case .stop:
      overridePlaces()
      guard tally.counts.isRunning else {
        desk.decide(.done, .ok, "no session was running")
        return true
      }
      // What the engine holds back was walked in this session, also where counting goes on after it.
      desk.stage = .finishingMotion
      effects.append(.finishMotion)
      return false
    case .status:
      desk.decide(.done, .ok, data: info(at: now).json)
    case .query(let from, let to, let bucket):
      guard hasDate(at: now) else { return refuse("the device does not know the date yet") }
      let end = to ?? now.wall
      guard end > from else { return refuse("to must be later than from") }
      if let bucket, (end - from - 1) / bucket >= Self.largestQuery {
        return refuse("more than \(Self.largestQuery) buckets; ask for a shorter interval or larger buckets")
      }
      return reachBack(to: from, at: now)
    case .calibrateStepLength(let length):
      changeWearer { $0.stepLength = Float(length) }
    case .calibrateDistance(let distance):
      guard let session = tally.counts.session, session.steps >= 50 else {
        return refuse("calibrating by a distance needs a session of at least 50 steps")
      }
      let length = distance / Double(session.steps)
      guard Limits.stepLength.contains(length) else {
        return refuse(
          "\(distance) m in \(session.steps) steps is no possible step length (\(Self.words(Limits.stepLength)) m)")
      }
      changeWearer { $0.stepLength = Float(length) }
    case .configure(let settings):
      return configure(settings)
    case .announce:
      announce(at: now)
      desk.decide(.done, .ok)
    case .regions: listRegions()
    case .sync:
      publisher.replay.hurry()
      desk.decide(.done, .ok, data: JSONText.object { $0.member("outbox", ledger.depth) })
    }
    return true
  }

  mutating func refuse(_ reason: String) -> Bool {
    desk.decide(.rejected, .notAllowed, reason)
    return true
  }

  /// The journal could not do what the first command asked for.
  mutating func commandFailed(_ reason: String) {
    guard desk.first != nil else { return }
    desk.decide(.failed, .internal, reason)
  }

  private mutating func changeWearer(_ change: (inout Memory.Overrides) -> Void) {
    change(&overrides)
    publisher.infoIsDue = true
    effects.append(.configureMotion(wearer))
    desk.decide(.done, .ok)
  }

  /// Changes allow-listed settings, all or none.
  private mutating func configure(_ settings: [String: JSONValue]) -> Bool {
    var changed = overrides
    var regions: RegionChange?
    for (key, value) in settings.sorted(by: { $0.key < $1.key }) {
      guard configurable.contains(key) else {
        return refuse(
          "\(key.prefix(60)) is not among the settings that may be changed: "
            + configurable.sorted().joined(separator: ", "))
      }
      if key == Self.regionsKey {
        do throws(RegionFault) { regions = try RegionChange(value) } catch { return refuse("\(key): \(error.reason)") }
        continue
      }
      guard let setting = Memory.Overrides.Setting(rawValue: key) else {
        return refuse("\(key) cannot be changed while the agent runs")
      }
      guard changed.set(setting, to: value) else {
        let zero = setting == .stepLength ? "0 or " : ""
        return refuse(
          "\(key) must be \(zero)a number from \(Self.words(setting.range)), or null for the configured one")
      }
    }
    if let regions { change(regions) }
    changeWearer { $0 = changed }
    return true
  }

  /// Whether dates of now can be true at all.
  func hasDate(at now: Instant) -> Bool { now.synchronized || now.wall >= configuration.firstPossibleDate }

  private static func words(_ range: ClosedRange<Double>) -> String { "\(range.lowerBound) to \(range.upperBound)" }
}
