internal import Wire

extension Machine {
  /// How far the clocks of those who ask may be apart from ours, in ms: their 7 days are ours, too.
  private static let clockDifference: Int64 = 60_000

  /// Checks how far back the history is asked; it is asked once everything counted is written down.
  mutating func reachBack(to from: Int64, at now: Instant) -> Bool {
    guard hasDate(at: now) else { return refuse("the device does not know the date yet") }
    guard from <= now.wall else { return refuse("from lies in the future") }
    guard now.wall - from <= Int64(configuration.historyDays) * 86_400_000 + Self.clockDifference else {
      return refuse("from lies more than \(configuration.historyDays) days back")
    }
    desk.stage = .settling
    return true
  }

  /// Asks the history, if nothing is on its way to the disk.
  mutating func askHistory(_ task: CommandDesk.Task, at now: Instant) {
    guard case .follow(let command) = task.request else { return }
    if let fault = ledger.fault {
      return desk.decide(.failed, .internal, "the journal cannot be read now: \(fault.reason)")
    }
    closeSteps(at: now)
    guard ledger.isIdle else { return }
    switch command.verb {
    case .start(let from):
      effects.append(.journal(.sums(from: from ?? now.wall, to: now.wall, bucket: nil)))
    case .query(let from, let to, let bucket):
      effects.append(.journal(.sums(from: from, to: to ?? now.wall, bucket: bucket)))
    case .stop, .status, .calibrateStepLength, .calibrateDistance, .configure, .announce, .sync, .regions:
      preconditionFailure("a command that asks nothing of the history waited for it")
    }
    desk.stage = .adding(until: tally.odometer)
  }

  /// The journal added up what the first command asked for.
  mutating func added(_ sums: [Sums], at now: Instant) {
    guard case .adding(let then) = desk.stage, case .follow(let command) = desk.first?.request else { return }
    switch command.verb {
    case .start(let from):
      var session = Counts.Session(start: from ?? now.wall)
      let since = tally.odometer
      session.steps = sums.reduce(since.steps - then.steps) { $0 + $1.steps }
      session.distance = sums.reduce(since.distance - then.distance) { $0 + $1.distance }
      session.activeSeconds = sums.reduce(since.activeSeconds - then.activeSeconds) { $0 + $1.activeSeconds }
      let (ups, downs) = (sums.compactMap(\.floorsAscended), sums.compactMap(\.floorsDescended))
      if tally.hasFloors || !ups.isEmpty {
        session.floorsAscended = ups.reduce(since.floorsAscended - then.floorsAscended, +)
        session.floorsDescended = downs.reduce(since.floorsDescended - then.floorsDescended, +)
      }
      overridePlaces()
      startSession(from: session, reason: .command, at: now)
      desk.decide(.done, .ok)
    case .query(let from, let to, let bucket):
      desk.decide(.done, .ok, data: Self.json(sums, from: from, to: to ?? now.wall, buckets: bucket != nil))
    case .stop, .status, .calibrateStepLength, .calibrateDistance, .configure, .announce, .sync, .regions: break
    }
  }

  private static func json(_ sums: [Sums], from: Int64, to: Int64, buckets: Bool) -> [UInt8] {
    func members(_ text: inout JSONText, _ sums: [Sums], start: Int64, end: Int64) {
      text.member("start", moment: start)
      text.member("end", moment: end)
      text.member("steps", sums.reduce(0) { $0 + $1.steps })
      text.member("distance_m", (sums.reduce(0) { $0 + $1.distance } * 100).rounded() / 100)
      text.member("active_s", (sums.reduce(0) { $0 + $1.activeSeconds } * 10).rounded() / 10)
      let ups = sums.compactMap(\.floorsAscended)
      let downs = sums.compactMap(\.floorsDescended)
      text.member("floors_ascended", ups.isEmpty ? nil : ups.reduce(0, +))
      text.member("floors_descended", downs.isEmpty ? nil : downs.reduce(0, +))
    }
    return JSONText.object { text in
      members(&text, sums, start: from, end: to)
      if buckets {
        text.key("buckets")
        text.array(sums) { bucket, array in
          array.object { members(&$0, [bucket], start: bucket.start, end: bucket.end) }
        }
      }
    }
  }
}
