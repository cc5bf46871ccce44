internal import Agent
internal import Wire

extension Course {
  /// Lets all come right again, and tells what did not.
  mutating func faultsAtTheEnd() -> [String] {
    settle()
    let faultsOfPlaces = faultsOfPlaces()
    // What happens at the moment of the last look at health is on its way in it; in the next look it has arrived. And
    // while the wearer walks, what was acknowledged last goes to the disk within a minute.
    let waiting = world.retained(world.configuration.topics.health)?["outbox"] != .integer(0)
    if waiting || world.journal.unacknowledged > 0 { world.advance(61_000) }
    var faults = self.faults + faultsOfPlaces + world.faults + world.consumer.faults + world.inspector.faults
    func expect(_ condition: Bool, _ fault: @autoclosure () -> String) {
      if !condition { faults.append(fault()) }
    }
    let (steps, gone) = (world.consumer.steps, world.consumer.stepsNamedGone)
    let total = world.walked
    // What the end of a process took from the device the consumer has, unless what is merged or dropped takes its number along.
    let most = total + world.remembered
    if world.journal.droppedEvents {
      // What named the missing steps may itself have been dropped, or what would have said that they came again.
      expect(steps <= most && steps + gone >= total, "received \(steps) and \(gone) named gone of \(total)")
    } else {
      expect(
        (total...most).contains(steps + gone), "received \(steps) and \(gone) named gone of \(total) to \(most) steps")
    }
    expect(world.journal.unacknowledged == 0, "not acknowledged: \(world.journal.unacknowledgedSeqs)")
    expect(pending.isEmpty, "\(pending.count) commands are not acknowledged")
    return faults + faultsOfRetained(total: total) + faultsOfAnswers()
  }

  private mutating func settle() {
    world.journal.fault = nil
    world.journal.fullness = nil
    world.holdsJournal = false
    world.completeAllOfJournal()
    world.outcome = { _ in .acknowledged }
    world.holdsAcknowledgements = false
    // A connection that lasts must bring all of it, too, without the help of a new one.
    if world.isConnected, Bool.random(using: &random) {
      world.acknowledgeAll()
      world.advance(500_000)
      return collectConfirmations()
    }
    if world.isConnected { world.disconnect() }
    world.advance(130_000)
    collectConfirmations()
    for index in pending.indices { pending[index].message = nil }
    world.connect()
    let waiting = pending
    pending = []
    for var command in waiting {
      // Not faster than the agent takes them.
      world.advance(1000)
      command.message = world.command(command.payload, retained: command.retained)
      pending.append(command)
    }
    world.advance(300_000)
    collectConfirmations()
  }

  private func faultsOfRetained(total: Int) -> [String] {
    let topics = world.configuration.topics
    let (state, info) = (world.retained(topics.state), world.retained(topics.info))
    var faults: [String] = []
    if world.retained[topics.availability] != Array("online".utf8) { faults.append("not online at the end") }
    let told = if case .integer(let told) = state?["total_steps"] { Int(told) } else { -1 }
    // After an interruption the total stands still until it has caught up with what may have been told.
    if told < total || told > total + (world.crashes > 0 ? 25 : 0) {
      faults.append("the state says \(state?["total_steps"] ?? .null) of \(total) steps")
    }
    if state?["started"] != info?["started"] { faults.append("state and info do not agree") }
    if state?["epoch"] != info?["epoch"] { faults.append("state and info are of two epochs") }
    let isOpen = state?["started"] == .bool(true) || world.configuration.counting == .always
    if isOpen != world.isSensorOpen { faults.append("the sensor is \(isOpen ? "closed" : "open")") }
    if world.retained(topics.health)?["outbox"] != .integer(0) {
      faults.append("health says that records wait: \(world.retained(topics.health)?["outbox"] ?? .null)")
    }
    if topics.discovery.map({ world.retained[$0] }) == nil { faults.append("Home Assistant does not know us") }
    return faults
  }

  private func faultsOfAnswers() -> [String] {
    let contradicted = world.inspector.contradicted.subtracting(world.forgotten)
    let unanswered = acknowledgedIDs.subtracting(world.consumer.answeredIDs).subtracting(world.forgotten)
    return contradicted.sorted().map { "\($0) was answered in two ways" }
      + unanswered.sorted().map { "\($0) was acknowledged and got no answer" }
  }
}
