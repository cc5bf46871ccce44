internal import Wire

extension Machine {
  /// Notices that the wall clock was moved against the monotonic one.
  mutating func watchClock(at now: Instant) {
    defer { last = now }
    tally.dateSession(at: now)
    publisher.clock.follow(isOnline: publisher.isUp, at: now)
    guard let last else { return }
    if last.zoneOffset != now.zoneOffset { publisher.infoIsDue = true }
    let step = (now.wall - now.monotonic) - (last.wall - last.monotonic)
    if now.synchronized != last.synchronized { memoryIsDue = true }
    guard abs(step) > Self.clockTolerance else { return }
    record(.clockStep(milliseconds: step), at: now)
  }

  /// Begins the wearer's next day at midnight, not at its first step.
  mutating func turnDay(at now: Instant) {
    guard now.synchronized, tally.counts.today.start != now.dayStart else { return }
    closeSteps(at: now)
    memoryIsDue = tally.turnDay(at: now) || memoryIsDue
  }
}
