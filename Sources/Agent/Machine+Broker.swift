internal import Wire

extension Machine {
  /// Takes what comes from the broker's side.
  mutating func take(_ report: BrokerReport, at now: Instant) {
    switch report {
    case .connected(let connection):
      publisher.connect(connection)
      if connection.alarm != nil || ledger.fault != nil { healthDue = now.monotonic }
      effects.append(.log(.info, "connected, \(ledger.depth) records to send"))
      let delay = ledger.depth > 0 ? Int64.random(in: 0...max(0, configuration.replayDelay), using: &random) : 0
      publisher.replay.restart(upTo: ledger.lastCommitted, notBefore: now.monotonic + delay)
      announce(at: now)
    case .disconnected(let reason):
      publisher.disconnect()
      effects.append(.log(.warning, "disconnected: \(reason)"))
    case .finished(let number, let outcome):
      guard let item = publisher.arrive(number) else { return }
      finished(item, outcome, at: now)
    case .message(let message):
      take(message, at: now)
    }
  }

  private mutating func finished(_ item: Publisher.Item, _ outcome: PublishOutcome, at now: Instant) {
    switch outcome {
    case .acknowledged: acknowledged(item, at: now)
    case .failed: returned(item)
    case .denied(let reason):
      note("refused: \(reason)", at: now)
      let later = now.monotonic + Publisher.deniedDelay
      switch item {
      case .live(let record): publisher.restLive(record, until: later)
      case .history(let records):
        publisher.replay.putBack(records)
        publisher.replay.pause(until: later)
      case .control, .state, .response: break
      }
    case .unacceptable(let reason):
      switch item {
      case .live(let record): park(record, reason: reason, at: now)
      case .history(let records):
        if records.count > 1 {
          publisher.replay.split(records)
        } else {
          for record in records { park(record, reason: reason, at: now) }
        }
      case .control, .state, .response: note("not sent: \(reason)", at: now)
      }
    }
  }

  private mutating func acknowledged(_ item: Publisher.Item, at now: Instant) {
    switch item {
    case .live(let record):
      ledger.acknowledge(record.seq, at: now)
      publisher.note(fault: nil)
    case .history(let records):
      for record in records { ledger.acknowledge(record.seq, at: now) }
      publisher.replay.succeeded()
    case .control, .state, .response: break
    }
  }

  /// Nobody knows whether it arrived: records go again by way of the history, an answer goes again.
  private mutating func returned(_ item: Publisher.Item) {
    switch item {
    case .live(let record): publisher.replay.include(record.seq)
    case .history(let records):
      for record in records { publisher.replay.include(record.seq) }
    case .response(let answer): publisher.enqueue(response: answer)
    case .state: publisher.stateIsDue = true
    case .control: break
    }
  }

  /// The broker will never take a record: it is not sent again, and an event says so.
  private mutating func park(_ refused: Record, reason: String, at now: Instant) {
    ledger.acknowledge(refused.seq, at: now)
    parked += 1
    note("record \(refused.seq) parked: \(reason)", at: now)
    guard refused.steps > 0 else { return }
    let told = EventBody.recordParked(seq: refused.seq, steps: refused.steps, reason: reason)
    // An event about a refused event could itself be refused; each is smaller than the last, so this ends.
    guard refused.kind == .steps || told.members.count < refused.body.count else { return }
    record(told, naming: refused.steps, at: now)
  }

  private mutating func note(_ fault: String, at now: Instant) {
    if publisher.fault != fault { effects.append(.log(.warning, "broker: \(fault)")) }
    publisher.note(fault: fault)
  }

  /// Queues the birth: availability, info, discovery, then the state of the last commit.
  mutating func announce(at now: Instant) {
    let topics = configuration.topics
    publisher.enqueue(
      control: Publication(topic: topics.availability, payload: Array("online".utf8), retain: true))
    if !awaitsJournal {
      publisher.enqueue(control: Publication(topic: topics.info, payload: info(at: now).json, retain: true))
    }
    publisher.infoIsDue = false
    if let topic = topics.discovery {
      let discovery = Discovery(topics: topics, name: configuration.name, version: configuration.version)
      publisher.enqueue(control: Publication(topic: topic, payload: discovery.json, retain: true))
    }
    publisher.stateIsDue = true
  }

  /// Whether nothing may follow, since `offline` was said.
  private var isSilent: Bool {
    switch phase {
    case .running, .finishing, .flushing, .draining: false
    case .parting, .closing, .left: true
    }
  }

  /// Sends as much as the window and the lanes' order allow.
  mutating func sendWhatMay(at now: Instant) {
    guard publisher.isUp, !isSilent else { return }
    if awaitsJournal { (publisher.stateIsDue, publisher.infoIsDue) = (false, false) }
    let topics = configuration.topics
    while publisher.room > 0 {
      if let publication = publisher.takeControl() {
        publish(publication, as: .control)
      } else if let answer = publisher.takeResponse() {
        publish(answer.publication, as: .response(answer))
      } else if let record = publisher.takeLive() {
        let topic = record.kind == .steps ? topics.steps : topics.event
        let dating = Self.dating(of: record, boot: configuration.boot, at: now)
        let payload = record.json(epoch: epoch, dating: dating, historical: false)
        publish(Publication(topic: topic, payload: payload), as: .live(record))
      } else if publisher.stateIsDue, !publisher.stateIsInFlight, start != nil {
        publisher.stateIsDue = false
        publish(Publication(topic: topics.state, payload: committed.json, retain: true), as: .state)
      } else if publisher.infoIsDue, ledger.isIdle {
        publisher.infoIsDue = false
        publish(Publication(topic: topics.info, payload: info(at: now).json, retain: true), as: .control)
      } else {
        break
      }
    }
    guard phase == .running else { return }
    while publisher.historyRoom > 0, let batch = nextBatch(at: now) {
      publish(batch.publication, as: .history(batch.records))
    }
    if ledger.trim == nil, let request = publisher.replay.request(at: now.monotonic) {
      effects.append(.journal(request))
    }
  }

  private mutating func nextBatch(at now: Instant) -> (publication: Publication, records: [Record])? {
    let (epoch, boot) = (epoch, configuration.boot)
    var payloads: [[UInt8]] = []
    let clock = publisher.clock
    let most = publisher.largestPayload
    let records = publisher.replay.batch(at: now.monotonic, most: most, isHeld: clock.holds) { record in
      let payload = record.json(epoch: epoch, dating: Self.dating(of: record, boot: boot, at: now), historical: true)
      payloads.append(payload)
      return payload.count
    }
    guard let records else { return nil }
    let payload = Record.batch(Array(payloads.prefix(records.count)))
    return (Publication(topic: configuration.topics.history, payload: payload), records)
  }

  private mutating func publish(_ publication: Publication, as item: Publisher.Item) {
    effects.append(.publish(publisher.depart(publication, as: item)))
  }

  /// The date of a record as it is known now: one of this boot that was taken without a clock is dated anew.
  private static func dating(of record: Record, boot: String, at now: Instant) -> Record.Dating {
    guard !record.synchronized, now.synchronized, record.boot == boot else {
      return Record.Dating(synchronized: record.synchronized)
    }
    return Record.Dating(shift: now.wall(at: record.monotonicEnd) - record.wallEnd, synchronized: true)
  }
}
