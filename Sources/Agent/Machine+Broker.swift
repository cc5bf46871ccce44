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
      publisher.replay.pace.restart()
      announce(at: now)
    case .disconnected(let reason):
      publisher.disconnect()
      effects.append(.log(.warning, "disconnected: \(reason)"))
    case .subscriptionRefused(let topic, let reason):
      if configuration.topics.positions.contains(topic) {
        return note(location: "the broker refuses the subscription to \(topic): \(reason)")
      }
      publisher.refusals.refuse(subscription: topic, reason)
      tell("commands on \(topic) will not arrive: \(reason)", at: now)
    case .finished(let number, let outcome):
      guard let flight = publisher.arrive(number) else { return }
      finished(flight, outcome, at: now)
    case .message(let message):
      take(message, at: now)
    }
  }

  /// Queues the birth: availability, info, discovery, then the state of the last commit.
  mutating func announce(at now: Instant) {
    publisher.enqueue(birth: .availability)
    if !awaitsJournal { publisher.enqueue(birth: .info) }
    publisher.infoIsDue = false
    publisher.enqueue(birth: .discovery)
    publisher.stateIsDue = true
  }

  /// What a retained topic has to say now; nil where there is no such topic.
  private mutating func birth(_ lane: Lane, at now: Instant) -> Publication? {
    let topics = configuration.topics
    switch lane {
    case .availability: return Publication(topic: topics.availability, payload: Array("online".utf8), retain: true)
    case .info: return Publication(topic: topics.info, payload: info(at: now).json, retain: true)
    case .discovery:
      let discovery = Discovery(
        topics: topics, name: configuration.name, version: configuration.version, hasFloors: hasFloors)
      return topics.discovery.map { Publication(topic: $0, payload: discovery.json, retain: true) }
    case .notification: return notification(at: now)
    case .state, .response, .steps, .event, .history: return nil
    }
  }

  /// Whether nothing may follow, since `offline` was said.
  var isSilent: Bool {
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
    let isResting = { (lane: Lane, publisher: Publisher) in publisher.refusals.isResting(lane, at: now.monotonic) }
    while publisher.room > 0 {
      if let lane = publisher.takeBirth(at: now.monotonic) {
        if let publication = birth(lane, at: now) { publish(publication, as: .birth(lane), at: now) }
      } else if let answer = publisher.takeResponse(at: now.monotonic) {
        publish(answer, at: now)
      } else if let record = publisher.takeLive() {
        let topic = record.kind == .steps ? topics.steps : topics.event
        let dating = Self.dating(of: record, boot: configuration.boot, at: now)
        let payload = record.json(epoch: epoch(of: record), dating: dating, historical: false)
        publish(Publication(topic: topic, payload: payload), as: .live(record), at: now)
      } else if publisher.stateIsDue, !publisher.stateIsInFlight, start != nil, !isResting(.state, publisher) {
        publisher.stateIsDue = false
        publish(Publication(topic: topics.state, payload: shown.json, retain: true), as: .state, at: now)
      } else if publisher.infoIsDue, ledger.isTold {
        publisher.infoIsDue = false
        publisher.enqueue(birth: .info)
      } else {
        break
      }
    }
    guard phase == .running else { return }
    while publisher.historyRoom > 0, let batch = nextBatch(at: now) {
      publish(batch.publication, as: .history(batch.records), at: now)
    }
    if ledger.trim == nil, let request = publisher.replay.request(at: now.monotonic) {
      effects.append(.journal(request))
    }
  }

  private mutating func nextBatch(at now: Instant) -> (publication: Publication, records: [Record])? {
    let (epoch, former, boot) = (epoch, formerEpochs, configuration.boot)
    var payloads: [[UInt8]] = []
    let clock = publisher.clock
    let most = publisher.largestPayload
    let records = publisher.replay.batch(at: now.monotonic, most: most, isHeld: clock.holds) { record in
      let payload = record.json(
        epoch: former.epoch(of: record, else: epoch),
        dating: Self.dating(of: record, boot: boot, at: now), historical: true)
      payloads.append(payload)
      return payload.count
    }
    guard let records else { return nil }
    let payload = Record.batch(Array(payloads.prefix(records.count)))
    return (Publication(topic: configuration.topics.history, payload: payload), records)
  }

  private mutating func publish(_ publication: Publication, as item: Publisher.Item, at now: Instant) {
    effects.append(.publish(publisher.depart(publication, as: item, at: now.monotonic)))
  }

  /// Sends an answer, shortened where the broker has said that it takes no larger one.
  private mutating func publish(_ answer: QueuedAnswer, at now: Instant) {
    let most = publisher.largestPayload(besides: answer.head)
    if !answer.isShort, answer.response.json.count > most {
      shorten(answer, "larger than \(most) bytes", at: now)
    } else {
      publish(answer.publication, as: .response(answer), at: now)
    }
  }

  /// The date of a record as it is known now: one of this boot that was taken without a clock is dated anew.
  private static func dating(of record: Record, boot: String, at now: Instant) -> Record.Dating {
    guard !record.synchronized, now.synchronized, record.boot == boot else {
      return Record.Dating(synchronized: record.synchronized)
    }
    return Record.Dating(shift: now.wall(at: record.monotonicEnd) - record.wallEnd, synchronized: true)
  }
}
