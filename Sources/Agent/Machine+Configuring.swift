extension Machine {
  /// Takes a configuration that was read again, and tries a disk that refuses at once.
  ///
  /// What a command changed stays changed. Boot, seed and what concerns the start stay as they were.
  mutating func take(_ new: Machine.Configuration, at now: Instant) {
    let old = configuration
    configuration = new
    (configuration.boot, configuration.seed, configuration.exitAtEnd) = (old.boot, old.seed, old.exitAtEnd)
    (configuration.start, configuration.counting) = (old.start, old.counting)
    places.take(configuration.places)
    effects.append(.configureMotion(wearer))
    ledger.retry(at: now)
    if publisher.isUp, old.name != new.name { announce(at: now) }
    publisher.infoIsDue = true
  }
}
