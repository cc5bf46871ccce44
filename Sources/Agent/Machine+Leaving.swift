internal import Wire

extension Machine {
  /// Begins to leave: what the engine holds back is counted, written, sent; then `offline`, then the end.
  mutating func leave(at now: Instant) {
    guard phase == .running else { return }
    phase = .finishing(deadline: now.monotonic + Self.leavingTime)
    effects.append(.finishMotion)
    switch sensor {
    case .opening, .open, .lost: effects.append(.closeSensor)
    case .closed, .ended: break
    }
  }

  /// Goes on leaving as far as can be; at the deadline whatever is left stays in the journal.
  mutating func progressLeaving(at now: Instant) {
    while true {
      switch phase {
      case .running:
        guard configuration.exitAtEnd, sensor == .ended, isDone(at: now) else { return }
        leave(at: now)
        return
      case .left: return
      case .finishing(let deadline):
        guard now.monotonic >= deadline else { return }
        phase = .flushing(deadline: deadline)
      case .flushing(let deadline):
        let isFlushed = !tally.hasSteps && ledger.isIdle && desk.verdicts.isEmpty
        guard isFlushed || ledger.fault != nil || now.monotonic >= deadline else { return }
        phase = .draining(deadline: deadline)
      case .draining(let deadline):
        let isDrained = !publisher.isUp || publisher.isDrained(at: now.monotonic) || now.monotonic >= deadline
        guard isDrained else { return }
        sayOffline(at: now)
        phase = .parting(deadline: deadline)
      case .parting(let deadline):
        guard !publisher.isUp || publisher.inFlight.isEmpty || now.monotonic >= deadline else { return }
        phase = .closing(deadline: deadline)
        commitIfDue(at: now)
      case .closing(let deadline):
        let isClosed = ledger.flight == nil && (ledger.acknowledged.isEmpty || ledger.fault != nil)
        guard isClosed || now.monotonic >= deadline else { return }
        phase = .left
        effects.append(.leave)
      }
    }
  }

  /// Whether everything counted was written, sent and acknowledged; leaving writes the acknowledgements down.
  private func isDone(at now: Instant) -> Bool {
    !tally.hasSteps && ledger.isIdle && ledger.depth == 0 && publisher.isUp
      && publisher.isDrained(at: now.monotonic) && desk.first == nil
  }

  private mutating func sayOffline(at now: Instant) {
    guard publisher.isUp else { return }
    let offline = Publication(
      topic: configuration.topics.availability, payload: Array("offline".utf8), retain: true)
    effects.append(.publish(publisher.depart(offline, as: .farewell, at: now.monotonic)))
  }
}
