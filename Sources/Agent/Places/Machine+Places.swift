internal import Wire

extension Machine {
  /// How long a fault that comes and goes is logged no more, in ms.
  private static let silence: Int64 = 600_000
  /// How far ahead of the device's clock an app's may be, in ms.
  private static let clockDifference: Int64 = 300_000

  /// Takes what a source of positions of this device reports.
  mutating func take(_ report: LocationReport, at now: Instant) {
    switch report {
    case .position(let position): take(Fix(position, moment: now.monotonic), at: now)
    case .found(let name):
      effects.append(.log(.info, "location: \(name)"))
      note(location: nil)
    case .lost(let reason): note(location: reason)
    }
  }

  /// Takes a message of the wearer's phone.
  mutating func takePosition(_ message: Message, at now: Instant) {
    guard !message.payload.isEmpty else { return }
    switch OwnTracks(payload: message.payload) {
    case .location(let position, let time):
      guard let moment = moment(of: time, at: now) else { return }
      take(Fix(position, moment: moment), at: now)
    case .transition(let isEntering, let name, let position, let time):
      guard let moment = moment(of: time, at: now) else { return }
      if let region = places.monitor.regions.first(where: { $0.title == name || $0.id == name }) {
        note(location: nil)
        let side = isEntering ? RegionMonitor.Side.inside : .outside
        let crossing = places.monitor.cross(region.id, to: side, moment: moment, position: position)
        if let crossing { cross(crossing, at: now) }
      } else if let position {
        take(Fix(position, moment: moment), at: now)
      }
    case .encrypted:
      places.ignored += 1
      note(location: "OwnTracks encrypts what it sends; remove its encryption key, and use TLS to the broker instead")
    case .other: break
    case nil:
      places.ignored += 1
      note(location: "a message on \(message.topic) is no position of OwnTracks")
    }
  }

  /// When something happened that an app dates by its own clock; nil where that is too old or cannot be told.
  private mutating func moment(of time: Int64, at now: Instant) -> Int64? {
    if let last = places.lastTime, time < last { return nil }
    let age = now.wall - time
    guard age >= -Self.clockDifference else {
      places.ignored += 1
      note(location: "OwnTracks dates its positions in the future; is the clock of this device right?")
      return nil
    }
    guard age <= configuration.places.oldest else {
      places.ignored += 1
      return nil
    }
    places.lastTime = time
    // The app's clock has said that this is no older than what came before; the device's two clocks, read one after the
    // other, may differ on that by a hair.
    return max(now.monotonic - max(0, age), places.monitor.latest ?? .min)
  }

  private mutating func take(_ fix: Fix, at now: Instant) {
    do throws(RegionMonitor.Refusal) {
      try places.monitor.take(fix, at: now.monotonic)
      note(location: nil)
    } catch {
      switch error {
      case .superseded: break
      case .stale: places.ignored += 1
      case .coarse:
        places.ignored += 1
        note(
          location: fix.position.accuracy == nil
            ? "positions have no accuracy, so that nothing can follow from them"
            : "positions are coarser than \(Int(configuration.places.coarsest)) m (places.max_accuracy_m)")
      }
    }
  }

  mutating func note(location fault: String?) {
    defer { places.fault = fault }
    guard let fault, fault != places.fault else { return }
    let now = last?.monotonic ?? 0
    if let before = places.logged[fault], now - before < Self.silence { return }
    places.logged = places.logged.filter { now - $0.value < Self.silence }
    places.logged[fault] = now
    effects.append(.log(.warning, "location: \(fault)"))
  }

  /// Says that the regions which a command set count for nothing, if they do.
  mutating func tellOfUnreadRegions() {
    guard places.unread != nil else { return }
    effects.append(
      .log(
        .warning,
        "regions that a command set cannot be read by this version; they are kept, and the configuration's hold until a "
          + "command sets others"))
  }

  /// Does what the crossings ask for that have proved themselves.
  mutating func settlePlaces(at now: Instant) {
    guard phase == .running else { return }
    for crossing in places.monitor.settle(at: now.monotonic) { cross(crossing, at: now) }
  }

  private mutating func cross(_ crossing: RegionMonitor.Crossing, at now: Instant) {
    let region = crossing.region
    memoryIsDue = true
    let position = configuration.places.publishesPosition ? crossing.position : nil
    switch crossing.side {
    case .inside:
      record(
        .regionEntered(region.id, determined: crossing.isDetermined, position), at: now, moment: crossing.moment)
      effects.append(.log(.info, "region \(region.id): \(crossing.isDetermined ? "inside" : "entered")"))
      if !crossing.isDetermined { places.isOverridden = false }
      if !places.isOverridden { follow(region.enter, at: now) }
    case .outside:
      // To be found outside is no crossing: nothing happened.
      guard !crossing.isDetermined else { return }
      record(.regionLeft(region.id, position), at: now, moment: crossing.moment)
      effects.append(.log(.info, "region \(region.id): left"))
      places.isOverridden = false
      let isHeld = places.monitor.surrounding?.contains { $0.enter == .start } ?? false
      if region.leave != .stop || !isHeld { follow(region.leave, at: now) }
    }
  }

  private mutating func follow(_ action: Region.Action, at now: Instant) {
    switch action {
    case .nothing: break
    case .start:
      places.endsSession = false
      if isSessionGuessed {
        confirmSession(reason: .region, at: now)
      } else if !tally.counts.isRunning {
        startSession(reason: .region, at: now)
      }
    case .stop:
      guard tally.counts.isRunning else { return }
      switch configuration.counting {
      case .always: endSession(reason: .region, at: now)
      case .whileStarted:
        places.endsSession = true
        effects.append(.finishMotion)
      }
    }
  }

  /// Ends the session that a crossing ended, now that the engine gave all that it held back.
  mutating func endSessionOfPlace(at now: Instant) {
    guard places.endsSession else { return }
    places.endsSession = false
    if tally.counts.isRunning { endSession(reason: .region, at: now) }
  }

  /// A command said whether a session is to run: that holds until the next crossing.
  mutating func overridePlaces() {
    places.endsSession = false
    places.isOverridden = true
  }
}
