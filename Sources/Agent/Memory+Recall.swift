internal import Wire

extension Memory {
  /// How many former epochs are remembered; each is a disk that lost what it had confirmed.
  private static let formerKept = 4

  /// What a journal knows, and why a new epoch begins in it; nil for no reason.
  ///
  /// The epoch is the journal's own until something was lost that had been published: then totals may be lower than they
  /// were, and a new one begins, with the old records left under the old name.
  static func recall(_ restored: Restored, newEpoch: @autoclosure () -> String) -> (memory: Memory, reason: String?) {
    guard let blob = restored.memory else { return (Memory(epoch: restored.epoch ?? newEpoch(), nextSeq: 1), nil) }
    guard var memory = decode(blob) else {
      var fresh = Memory(epoch: newEpoch(), nextSeq: restored.lastSeq + 1)
      if let epoch = restored.epoch { fresh.former = [Former(epoch: epoch, last: restored.lastSeq)] }
      return (fresh, "the totals and the session could not be read, and begin anew")
    }
    memory.counts.add(restored.tail)
    if restored.wasInterrupted, memory.isWalking == true { memory.counts.loseWhatLagged() }
    guard restored.isTailLost else { return (memory, nil) }
    let former = Former(epoch: memory.epoch, last: max(memory.nextSeq - 1, restored.lastSeq))
    memory.former = ((memory.former ?? []) + [former]).suffix(formerKept)
    memory.epoch = newEpoch()
    return (memory, "the latest commits are lost with the journal's write-ahead log")
  }
}

extension [Memory.Former] {
  /// The epoch of a record that has a number, which is the present one unless it ended before.
  func epoch(of record: Record, else present: String) -> String {
    first { record.seq <= $0.last }?.epoch ?? present
  }
}

extension Machine {
  /// The epoch of a record that has a number.
  func epoch(of record: Record) -> String { formerEpochs.epoch(of: record, else: epoch) }

  /// Says why an epoch began, if one did.
  mutating func tellOfEpoch(at now: Instant) {
    guard let reason = epochReason else { return }
    epochReason = nil
    effects.append(.log(.error, "journal: a new epoch begins: \(reason)"))
    record(.epochStarted(reason: reason), at: now)
  }
}
