internal import Motion
internal import Wire

extension Machine {
  /// What the device can measure, as far as is known.
  private var capabilities: Capabilities {
    let pressure: Capabilities.Sensor =
      switch barometer {
      case .unknown: .unknown
      case .absent, .lost: .absent
      case .open: .present(rate: nil)
      }
    // What was measured counts more than what the source says of itself.
    let isSlow = degradation.contains(.slow)
    return Capabilities(accelerometer: isSlow ? .present(rate: 0) : knownSensor, barometer: pressure)
  }

  /// The birth message of now.
  func info(at now: Instant) -> DeviceInfo {
    // A host without a clock learns the date later.
    let start = start ?? now
    var info = DeviceInfo(
      device: configuration.topics.device, name: configuration.name, version: configuration.version,
      boot: configuration.boot, epoch: epoch, agentStart: now.synchronized ? now.wall(at: start.monotonic) : start.wall)
    info.libraries = configuration.libraries
    info.started = tally.counts.isRunning
    info.sessionStart = tally.counts.isRunning ? tally.counts.session?.start : nil
    info.zoneOffset = now.zoneOffset
    info.outbox = ledger.depth
    info.configured = overrides.values
    switch sensor {
    case .open(let description):
      info.sensor = description.name
      info.rate = description.rate
    case .closed, .opening, .lost, .ended: break
    }
    info.authorization =
      switch knownSensor {
      case .unknown: .unknown
      case .present: .authorized
      case .denied: .denied
      case .absent: .absent
      }
    let capabilities = capabilities
    info.capabilities = Capabilities.Capability.allCases.map { capability in
      let availability = capabilities[capability]
      return DeviceInfo.Capability(
        capability.rawValue, missing: availability == .available ? nil : availability.rawValue)
    }
    return info
  }

  /// Sends `health`, to which only the outside knows some figures.
  mutating func publishHealth(_ vitals: Vitals, at now: Instant) {
    var health = DeviceHealth(time: now.wall, uptime: (now.monotonic - (start ?? now).monotonic) / 1000)
    health.residentBytes = vitals.residentBytes
    if let then = samplesThen, now.monotonic > then.at {
      health.sampleRate = Double(vitals.samples - then.count) / (Double(now.monotonic - then.at) / 1000)
    }
    samplesThen = (vitals.samples, now.monotonic)
    judgeSignal(vitals.quality, rate: health.sampleRate, at: now)
    health.samplesDropped = vitals.dropped
    health.samplesMissing = vitals.missing
    health.signalGaps = vitals.quality.gaps
    health.degradation = degradation
    health.sensorLosses = sensorLosses
    health.outbox = ledger.depth
    health.unsaved = ledger.unsaved
    health.parked = parked
    health.lost = ledger.lost
    health.reconnects = publisher.reconnects
    health.commandsRefused = desk.refused
    if configuration.places.isWatching {
      health.location = places.fault ?? (places.monitor.latest == nil ? "no position yet" : "ok")
      health.positionsIgnored = places.ignored
    }
    health.sensorWarning = sensorWarning
    health.journalFault = ledger.fault?.reason
    health.brokerFault = publisher.refusals.summary
    switch barometer {
    case .unknown, .absent: health.barometer = nil
    case .open: health.barometer = "ok"
    case .lost(let reason): health.barometer = reason
    }
    guard publisher.isUp, !isSilent else { return }
    let publication = Publication(topic: configuration.topics.health, payload: health.json, qos: 0, retain: true)
    effects.append(.publish(publisher.number(publication)))
  }

  /// Tells when the signal has become worse or better than it was; looked at with `health`, so at most once a minute.
  private mutating func judgeSignal(_ quality: SignalQuality, rate: Double?, at now: Instant) {
    guard case .open(let identity) = sensor else { return }
    var faults = [SignalFault](quality.degradation)
    if let rate, let nominal = identity.rate, identity.isSteady, rate > 2 * nominal { faults.append(.flooded) }
    guard faults != degradation else { return }
    degradation = faults
    publisher.infoIsDue = true
    effects.append(
      .log(.warning, "sensor: the signal is \(faults.isEmpty ? "good again" : faults.text)"))
    record(faults.isEmpty ? .sensorRestored : .sensorDegraded(faults: faults), at: now)
  }
}

extension [SignalFault] {
  /// What the engine found wrong.
  fileprivate init(_ degradation: SignalQuality.Degradation) {
    let faults: [(SignalQuality.Degradation, SignalFault)] = [
      (.slow, .slow), (.incomplete, .incomplete), (.disordered, .disordered), (.saturated, .saturated),
    ]
    self = faults.filter { degradation.contains($0.0) }.map(\.1)
  }
}
