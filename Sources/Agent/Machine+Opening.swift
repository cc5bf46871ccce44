internal import Wire

/// The journal that could not be opened at the start, and was later; or that had to be opened again.
///
/// Until then nothing is known of the epoch and the totals: neither `state` nor `info` goes out, records wait in memory,
/// and a session is assumed so that no step is missed.
extension Machine {
  /// Counts for a session, unless the configuration says that none runs: rather a step too many than one too few.
  mutating func guessSession(at now: Instant) {
    switch configuration.start {
    case .last, .always:
      tally.begin(at: now)
      isSessionGuessed = true
    case .never: break
    }
  }

  /// Goes on from what the journal knows, with what was counted since the start on top; nothing of it was published.
  mutating func opened(_ number: UInt64, _ restored: Restored, at now: Instant) {
    guard let flight = ledger.fail(number, reason: "", at: now) else { return }
    let (known, reason) = Memory.recall(restored, newEpoch: random.name())
    effects.append(.log(.info, "journal: open, \(restored.unacknowledged) records to send"))
    healthDue = now.monotonic
    memoryIsDue = true
    clockOffset = nil
    if awaitsJournal {
      epochReason = reason
      goOn(from: known, isEmpty: restored.memory == nil, restored, at: now)
    } else {
      // Another's journal in the place of ours: its records go out in our epoch, so that no number may be used twice.
      // What this process knows is newer than what any journal lost.
      let next = max(ledger.nextSeq, known.nextSeq, restored.lastSeq + 1)
      let isSame = restored.memory.flatMap(Memory.decode).map { $0.epoch == epoch } ?? true
      ledger.rebase(on: restored, nextSeq: next, isSameEpoch: isSame)
    }
    if let damagedFile = restored.damagedFile { record(.journalDamaged(file: damagedFile), at: now) }
    tellOfEpoch(at: now)
    if publisher.isUp {
      publisher.replay.restart(upTo: ledger.lastCommitted, notBefore: now.monotonic)
      announce(at: now)
    }
    lateReplies += flight.replies
  }

  private mutating func goOn(from known: Memory, isEmpty: Bool, _ restored: Restored, at now: Instant) {
    awaitsJournal = false
    closeSteps(at: now)
    epoch = known.epoch
    formerEpochs = known.former ?? []
    if !isEmpty {
      overrides = known.overrides.overridden(by: overrides)
      effects.append(.configureMotion(wearer))
      askForOwed(known.owed ?? [])
      places.recall(known.places)
      tellOfUnreadRegions()
    }
    ledger.rebase(on: restored, nextSeq: max(known.nextSeq, restored.lastSeq + 1), isSameEpoch: false)
    // Their totals began at 0.
    ledger.rewrite { record in
      guard record.kind == .steps else { return }
      record.body = StepsBody.merged(distance: record.distance, activeSeconds: record.activeSeconds)
    }
    let guessed = isSessionGuessed ? tally.counts.session : nil
    let before = known.counts
    shown = Tally(boot: configuration.boot, counts: before)
      .snapshot(epoch: epoch, seq: ledger.nextSeq - 1, sensor: presence, at: now)
    told.steps = shown.totalSteps
    tally.add(to: before, isSessionGuessed: isSessionGuessed)
    isSessionGuessed = false
    if configuration.start == .always, !tally.counts.isRunning, let guessed {
      startSession(from: guessed, reason: .configuration, at: now)
    } else {
      settleSession(at: now)
    }
    if !tally.counts.isRunning, configuration.counting == .whileStarted { closeSensor() }
  }
}

extension Memory.Overrides {
  /// These, where commands since have not set others.
  fileprivate func overridden(by later: Memory.Overrides) -> Memory.Overrides {
    Memory.Overrides(
      updateInterval: later.updateInterval ?? updateInterval, height: later.height ?? height,
      stepLength: later.stepLength ?? stepLength)
  }
}
