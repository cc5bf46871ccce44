internal import Motion
internal import Wire

extension Machine {
  /// The slowest rate, in Hz, at which steps can be counted: two samples for each half of a quick step.
  private static let slowestRate = 10.0

  /// The birth message of now.
  func info(at now: Instant) -> DeviceInfo {
    var info = DeviceInfo(
      device: configuration.topics.device, name: configuration.name, version: configuration.version,
      boot: configuration.boot, epoch: epoch, agentStart: (start ?? now).wall)
    info.libraries = configuration.libraries
    info.started = tally.counts.isRunning
    info.sessionStart = tally.counts.isRunning ? tally.counts.session?.start : nil
    info.zoneOffset = now.zoneOffset
    info.outbox = ledger.depth
    var missing: String?
    switch sensor {
    case .open(let description):
      info.sensor = description.name
      info.rate = description.rate
      info.authorization = "authorized"
      if let rate = description.rate, rate < Self.slowestRate { missing = "rate too low" }
    case .lost(let loss, _):
      info.authorization = loss.denied ? "denied" : "absent"
      missing = loss.denied ? "no rights" : "no sensor"
    case .closed, .opening, .ended:
      // A sensor that was not opened since nobody wants it is not missing.
      info.authorization = "authorized"
    }
    info.capabilities = ["steps", "distance", "pace", "cadence", "events", "activity"].map {
      DeviceInfo.Capability($0, missing: missing)
    }
    info.capabilities.insert(DeviceInfo.Capability("floors", missing: "no barometer"), at: 4)
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
    health.journalFault = ledger.fault?.reason
    health.brokerFault = publisher.refusals.summary
    guard publisher.isUp, !isSilent else { return }
    let publication = Publication(topic: configuration.topics.health, payload: health.json, qos: 0, retain: true)
    effects.append(.publish(publisher.number(publication)))
  }

  /// Tells when the signal has become worse or better than it was; looked at with `health`, so at most once a minute.
  private mutating func judgeSignal(_ quality: SignalQuality, rate: Double?, at now: Instant) {
    guard case .open(let identity) = sensor else { return }
    var faults: [String] = []
    let kinds: [(SignalQuality.Degradation, String)] = [
      (.slow, "slow"), (.incomplete, "incomplete"), (.disordered, "disordered"), (.saturated, "saturated"),
    ]
    for (kind, name) in kinds where quality.degradation.contains(kind) { faults.append(name) }
    if let rate, let nominal = identity.rate, identity.isSteady, rate > 2 * nominal { faults.append("flooded") }
    guard faults != degradation else { return }
    degradation = faults
    effects.append(
      .log(.warning, "sensor: the signal is \(faults.isEmpty ? "good again" : faults.joined(separator: ", "))"))
    record(faults.isEmpty ? .sensorRestored : .sensorDegraded(faults: faults), at: now)
  }
}
