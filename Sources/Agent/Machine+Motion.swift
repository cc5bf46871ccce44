internal import Motion
internal import Wire

extension Machine {
  /// Takes what the engine found.
  mutating func take(_ motion: MotionEvent, at now: Instant) {
    switch motion {
    case .step(let step):
      if let closed = tally.count(step, at: now) { ledger.append(closed) }
    case .pedometer(let event):
      tally.walk(event.kind == .resume)
      memoryIsDue = true
      guard tally.counts.isRunning else { return }
      let steps = tally.counts.session?.steps ?? 0
      let moment = now.monotonic(ofSample: event.time)
      switch event.kind {
      case .pause: record(.pause(steps: steps), at: now, moment: moment)
      case .resume: record(.resume(steps: steps), at: now, moment: moment)
      }
    case .activity(let activity):
      let isNew = tally.activity != activity.kind
      tally.take(activity)
      guard isNew else { return trust(activity.confidence) }
      memoryIsDue = true
      guard tally.counts.isRunning else { return }
      let moment = now.monotonic(ofSample: activity.start)
      record(.activity(activity.kind, activity.confidence), at: now, moment: moment)
    case .floor(let floor):
      if let closed = tally.count(floor, at: now) { ledger.append(closed) }
    }
  }

  /// Says how far the activity is trusted, which is no event and need not outlast a restart.
  private mutating func trust(_ confidence: MotionActivity.Confidence) {
    guard confidence != shown.confidence else { return }
    guard ledger.flight == nil, shown.activity == tally.activity else {
      // What is on its way to the disk would bring back the former.
      memoryIsDue = true
      return
    }
    shown.confidence = confidence
    publisher.stateIsDue = true
  }

  /// Takes what the sensor says about itself.
  mutating func take(_ report: SensorReport, at now: Instant) {
    publisher.infoIsDue = true
    switch report {
    case .found(let description):
      let wasTold =
        switch sensor {
        case .lost(_, let isTold): isTold
        case .closed, .opening, .open, .ended: false
        }
      sensor = .open(description)
      knownSensor = .present(rate: description.rate)
      effects.append(.log(.info, "sensor: \(description.name)"))
      if wasTold { record(.sensorFound(sensor: description.name), at: now) } else { memoryIsDue = true }
    case .warning(let text):
      sensorWarning = text
      effects.append(.log(.warning, "sensor: \(text)"))
    case .lost(let loss):
      if case .lost(let former, _) = sensor, former == loss { return }
      let wasTold =
        switch sensor {
        case .lost(_, let isTold): isTold
        case .closed, .opening, .open, .ended: false
        }
      let isTold = sensorTold.take(at: now.monotonic)
      sensor = .lost(loss, isTold: isTold || wasTold)
      knownSensor = loss.denied ? .denied : .absent
      sensorLosses += 1
      sensorWarning = nil
      degradation = []
      tally.forget()
      effects.append(.log(.warning, "sensor lost: \(loss.reason)"))
      if isTold { record(.sensorLost(reason: loss.reason), at: now) } else { memoryIsDue = true }
    case .ended:
      sensor = .ended
      tally.walk(false)
      memoryIsDue = true
      effects.append(.log(.info, "the recording ended"))
    }
  }

  /// The engine gave all that it held back, because a session or the agent ends.
  mutating func motionFinished(at now: Instant) {
    if desk.stage == .finishingMotion {
      endSession(reason: .command, at: now)
      desk.decide(.done, .ok)
    }
    endSessionOfPlace(at: now)
    if case .finishing(let deadline) = phase { phase = .flushing(deadline: deadline) }
  }

  mutating func openSensor() {
    switch sensor {
    case .closed:
      sensor = .opening
      effects.append(.openSensor)
    case .opening, .open, .lost, .ended: break
    }
  }

  mutating func closeSensor() {
    switch sensor {
    case .opening, .open, .lost:
      sensor = .closed
      effects.append(.closeSensor)
    case .closed, .ended: break
    }
    sensorWarning = nil
    degradation = []
    tally.forget()
  }

  /// Begins a session that counts from now on.
  mutating func startSession(reason: SessionReason, at now: Instant) {
    closeSteps(at: now)
    tally.begin(at: now)
    sessionStarted(reason: reason, at: now)
  }

  /// Begins a session with what the history holds.
  mutating func startSession(from session: Counts.Session, reason: SessionReason, at now: Instant) {
    closeSteps(at: now)
    tally.begin(from: session, at: now)
    sessionStarted(reason: reason, at: now)
  }

  /// Makes the session that was only assumed one that somebody wants, with what it counted.
  mutating func confirmSession(reason: SessionReason, at now: Instant) {
    closeSteps(at: now)
    sessionStarted(reason: reason, at: now)
  }

  private mutating func sessionStarted(reason: SessionReason, at now: Instant) {
    isSessionGuessed = false
    record(.started(reason: reason, steps: tally.counts.session?.steps ?? 0), at: now)
    publisher.infoIsDue = true
    openSensor()
  }

  /// Ends the session, and closes the sensor unless counting goes on always.
  mutating func endSession(reason: SessionReason, at now: Instant) {
    closeSteps(at: now)
    tally.end()
    isSessionGuessed = false
    switch configuration.counting {
    case .whileStarted: closeSensor()
    case .always: break
    }
    record(.stopped(reason: reason, steps: tally.counts.session?.steps ?? 0), at: now)
    publisher.infoIsDue = true
  }
}
