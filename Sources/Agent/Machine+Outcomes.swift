internal import Wire

/// What follows from what the broker makes of a publication: nothing is lost silently.
extension Machine {
  /// A publication of QoS 1 is done with.
  mutating func finished(_ flight: Publisher.Flight, _ outcome: PublishOutcome, at now: Instant) {
    let item = flight.item
    switch outcome {
    case .acknowledged: acknowledged(item, after: now.monotonic - flight.sent, at: now)
    case .failed: returned(item)
    case .denied(let reason): denied(item, reason, at: now)
    case .unacceptable(let reason): unacceptable(item, reason, at: now)
    }
  }

  private mutating func acknowledged(_ item: Publisher.Item, after time: Int64, at now: Instant) {
    publisher.replay.pace.heard(after: time)
    switch item {
    case .live(let record):
      ledger.acknowledge(record.seq, at: now)
      publisher.refusals.accept(Lane(of: record))
    case .history(let records):
      for record in records { ledger.acknowledge(record.seq, at: now) }
      publisher.refusals.accept(.history)
      publisher.replay.pace.arrived(after: time)
    case .birth(let lane): publisher.refusals.accept(lane)
    case .state: publisher.refusals.accept(.state)
    case .response(let answer): if !answer.isElsewhere { publisher.refusals.accept(.response) }
    case .farewell: break
    }
  }

  /// Nobody knows whether it arrived: records go again by way of the history, all else goes again.
  private mutating func returned(_ item: Publisher.Item) {
    switch item {
    case .live(let record): leaveToHistory(record)
    case .history(let records):
      for record in records { publisher.replay.include(record.seq) }
    case .response(let answer): publisher.putBack(response: answer)
    case .state: publisher.stateIsDue = true
    case .birth(let lane): publisher.enqueue(birth: lane)
    case .farewell: break
    }
  }

  /// The broker refuses it for now: its lane rests, and it goes again after that.
  private mutating func denied(_ item: Publisher.Item, _ reason: String, at now: Instant) {
    switch item {
    case .live(let record):
      refuse(Lane(of: record), reason, at: now)
      // While the lane rests, its records go by the history.
      for waiting in [record] + publisher.withdraw(live: Lane(of: record)) { leaveToHistory(waiting) }
    case .history(let records):
      refuse(.history, reason, at: now)
      publisher.replay.putBack(records)
      publisher.replay.pause(until: publisher.refusals.rest(of: .history) ?? now.monotonic)
    case .birth(let lane):
      refuse(lane, reason, at: now)
      publisher.enqueue(birth: lane)
    case .state:
      refuse(.state, reason, at: now)
      publisher.stateIsDue = true
    case .response(let answer):
      // A topic that a command named is its sender's choice; the device's own can be looked after by its operator.
      if !answer.isElsewhere { refuse(.response, reason, at: now) }
      publisher.putBack(response: answer.moved(to: configuration.topics.response))
    case .farewell: refuse(.availability, reason, at: now)
    }
  }

  /// The broker will never take it as it is.
  private mutating func unacceptable(_ item: Publisher.Item, _ reason: String, at now: Instant) {
    switch item {
    case .live(let record): park(record, reason: reason, at: now)
    case .history(let records):
      if records.count > 1 {
        publisher.replay.split(records)
      } else {
        for record in records { park(record, reason: reason, at: now) }
      }
    case .birth(let lane): blame(messageOf: lane, "not sent: \(reason)", at: now)
    case .state: blame(messageOf: .state, "not sent: \(reason)", at: now)
    case .response(let answer): shorten(answer, reason, at: now)
    case .farewell: blame(messageOf: .availability, "not sent: \(reason)", at: now)
    }
  }

  /// Sends less in place of an answer that the broker will never take.
  mutating func shorten(_ answer: QueuedAnswer, _ reason: String, at now: Instant) {
    if let smaller = answer.smaller(own: configuration.topics.response) {
      publisher.putBack(response: smaller)
    } else {
      blame(messageOf: .response, "an answer was given up: \(reason)", at: now)
    }
  }

  private mutating func refuse(_ lane: Lane, _ reason: String, at now: Instant) {
    if publisher.refusals.refuse(lane, "refused: \(reason)", at: now.monotonic) {
      tell("\(lane) refused: \(reason)", at: now)
    }
  }

  private mutating func blame(messageOf lane: Lane, _ reason: String, at now: Instant) {
    if publisher.refusals.blame(messageOf: lane, reason, at: now.monotonic) {
      tell("\(lane) \(reason)", at: now)
    }
  }

  /// Tells the operator soon, in the log and in `health`.
  mutating func tell(_ fault: String, at now: Instant) {
    effects.append(.log(.warning, "broker: \(fault)"))
    healthDue = min(healthDue, now.monotonic + Self.soon)
  }

  /// The broker will never take a record: it is not sent again, and an event says so.
  private mutating func park(_ refused: Record, reason: String, at now: Instant) {
    ledger.acknowledge(refused.seq, at: now)
    parked += 1
    blame(messageOf: Lane(of: refused), "record \(refused.seq) parked: \(reason)", at: now)
    let told = EventBody.recordParked(seq: refused.seq, steps: refused.steps, reason: reason)
    // An event about a refused event could itself be refused; each is smaller than the last, so this ends.
    guard refused.kind == .steps || told.members.count < refused.body.count else { return }
    record(told, naming: refused.steps, at: now)
  }
}
