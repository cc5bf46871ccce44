internal import Wire

extension Machine {
  /// Whether a barometer gives readings.
  var hasBarometer: Bool { barometer == .open }

  /// Whether floors can be counted here, as far as is known: by what there is, or was when the session ran last.
  var hasFloors: Bool {
    switch barometer {
    case .open, .lost: true
    case .absent: false
    case .unknown: tally.counts.session?.floorsAscended != nil
    }
  }

  /// Takes what the barometer says about itself; whatever it is, steps are counted on.
  mutating func take(_ report: BarometerReport, at now: Instant) {
    let before = barometer
    switch report {
    case .found(let name):
      barometer = .open
      tally.beginFloors()
      if case .lost = before { record(.barometerFound(sensor: name), at: now) }
      if before == .unknown || before == .absent { publisher.enqueue(birth: .discovery) }
      if before != .open, !name.isEmpty { effects.append(.log(.info, "barometer: \(name)")) }
    case .lost(let reason):
      barometer = .lost(reason)
      guard before == .open else { break }
      effects.append(.log(.warning, "barometer lost: \(reason)"))
      record(.barometerLost(reason: reason), at: now)
    case .absent:
      barometer = .absent
    }
    guard barometer != before else { return }
    publisher.infoIsDue = true
    memoryIsDue = true
  }
}
