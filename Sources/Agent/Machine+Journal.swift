internal import Wire

extension Machine {
  /// How many ranges of numbers an event names at most, so that it fits any broker's packets.
  private static let rangesInEvent = 100

  /// Takes what the journal completed.
  mutating func take(_ report: JournalReport, at now: Instant) {
    switch report {
    case .committed(let number): arrived(number, at: now)
    case .commitFailed(let number, let reason): failed(number, reason: reason, at: now)
    case .opened(let number, let restored): opened(number, restored, at: now)
    case .trimRefused(let number, let reason): trimRefused(number, reason: reason, at: now)
    case .page(let records): takePage(records)
    case .sums(let sums): added(sums, at: now)
    case .answer(let body): lookedUp(body)
    case .trim(let trim):
      if let trim { carryOut(trim, at: now) }
    case .failed(let request, let reason):
      effects.append(.log(.warning, "journal: \(reason)"))
      switch request {
      case .page: publisher.replay.pageFailed(until: now.monotonic + Ledger.retryDelay)
      case .sums: commandFailed(reason)
      case .answer: lookedUp(nil)
      case .commit, .trim: break
      }
    }
  }

  private mutating func takePage(_ records: [Record]) {
    // Nobody knows yet which of them a trim will have taken away: they are read again after it.
    guard ledger.trim == nil else { return publisher.replay.discardPage() }
    let underWay = publisher.seqsUnderWay()
    let acknowledged = ledger.acknowledged
    publisher.replay.take(records) { underWay.contains($0) || acknowledged.contains($0) }
  }

  /// How long the memory and what was acknowledged wait for a commit to ride with, in ms.
  ///
  /// Longer while the wearer walks, for they are half of what a commit of steps would write. A restart adds up the records
  /// since, and sends again what it does not know to be acknowledged.
  private static let bookkeepingDelay: (walking: Int64, resting: Int64) = (60_000, 5000)

  /// When the memory and what was acknowledged must be written, in ms on the monotonic clock; nil if the disk has them.
  var bookkeepingDue: Int64? {
    let delay = tally.isWalking ? Self.bookkeepingDelay.walking : Self.bookkeepingDelay.resting
    return ledger.owesSince.map { $0 + delay }
  }

  /// Writes what is due: events, answers and acknowledgements that waited, and with them the steps counted so far.
  ///
  /// Steps alone are told ahead of the disk while they may lag.
  mutating func commitIfDue(at now: Instant) {
    // While the disk is tried again, answers wait for what comes of it.
    if let fault = ledger.fault, ledger.flight == nil, !desk.verdicts.isEmpty {
      answerWithoutDisk(fault.reason, at: now)
    }
    guard ledger.flight == nil, isCommitDue(at: now) else { return }
    if let losses = ledger.takeLosses() {
      record(.recordsLost(count: losses.count, steps: losses.steps), naming: losses.steps, at: now)
    }
    closeSteps(at: now)
    let state = snapshot(at: now)
    let isOfSteps = isOfSteps(at: now)
    if isOfSteps, let ahead = ledger.tellAhead(at: now, interval: updateInterval) {
      show(state)
      return sendLive(ahead, at: now)
    }
    let omitsMemory = isOfSteps && ledger.hasStepsAlone && bookkeepingDue.map { now.monotonic < $0 } ?? true
    var replies = lateReplies
    lateReplies = []
    if !desk.verdicts.isEmpty { replies += desk.answer(state: state.json, seq: state.seq, time: now.wall) }
    let offset = newClockOffset(at: now)
    clockOffset = offset ?? clockOffset
    memoryIsDue = false
    let commit = ledger.depart(
      memory: omitsMemory ? nil : memory(owing: replies), snapshot: state, replies: replies, clockOffset: offset,
      at: now)
    effects.append(.journal(.commit(commit)))
  }

  /// Whether nothing has to go to the disk now but steps of a wearer of whom the disk knows that they walk.
  private func isOfSteps(at now: Instant) -> Bool {
    phase == .running && tally.isWalking && !memoryIsDue && !awaitsJournal && desk.stage != .settling
      && desk.verdicts.isEmpty && lateReplies.isEmpty && newClockOffset(at: now) == nil
  }

  /// Lets a snapshot be the one that others see.
  private mutating func show(_ state: DeviceState) {
    shown = state
    publisher.stateIsDue = true
  }

  /// Sends records live, or leaves them to the history.
  private mutating func sendLive(_ records: [Record], at now: Instant) {
    guard publisher.isUp else { return }
    for record in records where !publisher.enqueue(live: record, at: now.monotonic) { leaveToHistory(record) }
  }

  /// Leaves a record to the history; one that is not on disk yet comes there with its commit.
  mutating func leaveToHistory(_ record: Record) {
    if record.seq <= ledger.lastCommitted { publisher.replay.include(record.seq) }
  }

  /// All that must be known after a restart.
  private func memory(owing replies: [Reply]) -> [UInt8] {
    var memory = Memory(epoch: epoch, nextSeq: ledger.nextSeq, counts: tally.counts, overrides: overrides)
    memory.places = places.memory
    let unanswered = owed + publisher.owed + replies.compactMap(\.owed)
    if !formerEpochs.isEmpty { memory.former = formerEpochs }
    if !unanswered.isEmpty { memory.owed = unanswered.suffix(Publisher.owedCapacity) }
    if tally.isWalking { memory.isWalking = true }
    return memory.blob
  }

  private func isCommitDue(at now: Instant) -> Bool {
    let isLeaving = phase != .running
    if let fault = ledger.fault { return now.monotonic >= fault.retryAt }
    if !ledger.isTold || ledger.hasAnswers || memoryIsDue || !desk.verdicts.isEmpty { return true }
    if isLeaving || desk.stage == .settling, !ledger.isIdle { return true }
    if let due = ledger.lag.due, now.monotonic >= due { return true }
    if tally.hasSteps {
      guard let lastUpdate, !isLeaving else { return true }
      return now.monotonic - lastUpdate >= updateInterval
    }
    guard let due = bookkeepingDue else { return false }
    if case .closing = phase { return true }
    return now.monotonic >= due
  }

  private mutating func arrived(_ number: UInt64, at now: Instant) {
    let wasFaulty = ledger.fault != nil
    guard let flight = ledger.arrive(number) else { return }
    if wasFaulty {
      effects.append(.log(.info, "journal: writes again"))
      healthDue = now.monotonic
    }
    show(flight.snapshot)
    // What was told and is neither acknowledged nor under way was lost on its way.
    let underWay = publisher.seqsUnderWay()
    for record in flight.commit.records where ledger.isTold(record) && !underWay.contains(record.seq) {
      leaveToHistory(record)
    }
    sendLive(flight.commit.records.filter { !ledger.isTold($0) }, at: now)
    for reply in flight.replies { send(reply) }
    // There may be more to trim.
    if flight.commit.trim != nil { trimsDue = now.monotonic }
  }

  /// How this boot's clock stands, if the journal has not been told.
  private func newClockOffset(at now: Instant) -> Int64? {
    let offset = now.wall - now.monotonic
    guard now.synchronized, clockOffset.map({ abs($0 - offset) > Self.clockTolerance }) ?? true else { return nil }
    return offset
  }

  /// What is under way: neither merged nor dropped, else it would be sent twice.
  func askForTrim(at now: Instant) -> Effect {
    let spared = IntervalSet(publisher.seqsUnderWay().union(ledger.acknowledged.ranges.joined()))
    return .journal(.trim(now: now.synchronized ? now.wall : nil, sparing: spared.ranges))
  }

  /// Lets records be merged or dropped with the next commit, unless one of them got under way meanwhile.
  private mutating func carryOut(_ trim: Trim, at now: Instant) {
    let underWay = publisher.seqsUnderWay().union(ledger.acknowledged.ranges.joined())
    let isStale = trim.ranges.contains { range in underWay.contains { range.contains($0) } }
    guard ledger.trim == nil, ledger.fault == nil, !isStale, !trim.ranges.isEmpty else { return }
    closeSteps(at: now)
    ledger.append(trim, records: merged(trim) + told(trim, at: now))
  }

  /// The records that take the place of what is merged.
  private func merged(_ trim: Trim) -> [Record] {
    trim.merged.map { merged in
      var record = merged
      record.body = StepsBody.merged(distance: record.distance, activeSeconds: record.activeSeconds)
      return record
    }
  }

  /// The events that tell of a trim: one, or several where what goes lies scattered; the first names the steps.
  private func told(_ trim: Trim, at now: Instant) -> [Record] {
    stride(from: 0, to: trim.ranges.count, by: Self.rangesInEvent).map { start in
      let ranges = Array(trim.ranges[start..<min(start + Self.rangesInEvent, trim.ranges.count)])
      let body = EventBody.outboxTrimmed(
        ranges: ranges, steps: start == 0 ? trim.steps : 0, merged: !trim.merged.isEmpty)
      var record = event(body, at: now, moment: now.monotonic)
      if start == 0 { record.steps = trim.stepsDropped }
      return record
    }
  }

  /// The disk takes the commit only without its trim, which will be planned anew.
  private mutating func trimRefused(_ number: UInt64, reason: String, at now: Instant) {
    guard let commit = ledger.departWithoutTrim(number) else { return failed(number, reason: reason, at: now) }
    effects.append(.log(.debug, "journal: \(reason)"))
    effects.append(.journal(.commit(commit)))
  }

  private mutating func failed(_ number: UInt64, reason: String, at now: Instant) {
    guard let flight = ledger.fail(number, reason: reason, at: now) else { return }
    effects.append(.log(.error, "journal: \(reason); records wait in memory, next try in a minute"))
    healthDue = now.monotonic
    for reply in flight.replies {
      var failed = reply
      failed.response = Response(
        id: reply.response.id, command: reply.name, status: .failed, code: .internal, reason: withoutDisk(reason),
        state: shown.json, seq: shown.seq, time: now.wall)
      desk.remember(failed.response)
      ledger.keep(failed.response)
      send(failed)
    }
  }

  private mutating func answerWithoutDisk(_ reason: String, at now: Instant) {
    for verdict in desk.verdicts where verdict.status == .done && verdict.task.changesState {
      effects.append(.log(.warning, "command \(verdict.task.name ?? ""): \(withoutDisk(reason))"))
    }
    desk.fail(withoutDisk(reason))
    for reply in desk.answer(state: shown.json, seq: shown.seq, time: now.wall) {
      ledger.keep(reply.response)
      send(reply)
    }
  }

  private func withoutDisk(_ reason: String) -> String {
    "followed, but it cannot be kept over a restart: \(reason)"
  }

  /// Sends an answer and lets go the acknowledgement of its command.
  mutating func send(_ reply: Reply) {
    effects.append(.confirm(message: reply.message))
    enqueue(
      QueuedAnswer(
        response: reply.response, topic: reply.topic, correlation: reply.correlation,
        isElsewhere: reply.topic != configuration.topics.response))
  }

  /// Lets an answer wait for its turn.
  mutating func enqueue(_ answer: QueuedAnswer) {
    for dropped in publisher.enqueue(response: answer) {
      effects.append(.log(.warning, "the answer to \(dropped.response.id ?? "a command") is given up: too many wait"))
    }
  }
}
