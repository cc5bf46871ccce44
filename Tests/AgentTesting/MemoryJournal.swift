public import Agent
public import Wire

/// A journal in memory that keeps the port's contract: a commit is whole or not there at all.
public struct MemoryJournal: Sendable {
  /// All committed records that are neither merged nor dropped, in order of seq.
  public private(set) var records: [Record] = []
  /// The seqs that the broker acknowledged, as far as that is on disk.
  public private(set) var acknowledged: Set<Int64> = []
  /// The machine's memory of the last commit.
  public private(set) var memory: [UInt8]?
  /// The answers kept, the last 256 of them.
  public private(set) var answers: [Answer] = []
  /// How many commits there were.
  public private(set) var commits = 0
  /// The epoch that the journal was made with.
  public var epoch = "first"
  /// Whether the next opening finds that the latest commits are lost.
  public var isTailLost = false
  /// Why every request fails now; nil while the disk works.
  public var fault: String?
  /// Whether it is open; where it is not, the next commit opens it instead, unless there is a fault.
  public var isOpen = true
  /// Why every commit fails now, while reading works; nil while there is room.
  public var fullness: String?
  /// How many unacknowledged records it keeps; beyond, steps are merged, then dropped, then events are dropped.
  public var capacity = Int.max
  /// How many records may stay merged before they are dropped.
  public var mergedCapacity = Int.max
  /// Whether the next commit with a trim finds that the trim fits no more.
  public var refusesTrim = false
  /// The boot that runs.
  public var boot = "boot-1"
  /// What the journal was told of each boot's clock, as wall time less monotonic time in ms.
  public private(set) var clockOffsets: [String: Int64] = [:]
  /// How many trims were carried out.
  public private(set) var trims = 0
  /// Whether events were dropped, and with them what they told.
  public private(set) var droppedEvents = false
  private var lastSeq: Int64 = 0
  /// The last number that the memory knows of.
  private var memorySeq: Int64 = 0
  /// Numbers up to here may have been told before a process died, and are not given again.
  private(set) var reservedSeq: Int64 = 0

  /// Makes an empty journal.
  public init() {}

  /// The steps of all committed step records.
  public var steps: Int { records.reduce(0) { $0 + ($1.kind == .steps ? $1.steps : 0) } }

  /// How many records are not acknowledged.
  public var unacknowledged: Int { records.reduce(0) { $0 + (acknowledged.contains($1.seq) ? 0 : 1) } }

  /// The numbers of the records that are not acknowledged.
  public var unacknowledgedSeqs: [Int64] { records.map(\.seq).filter { !acknowledged.contains($0) } }

  /// What a machine is given that starts on this journal.
  public var restored: Restored { isOpen ? contents : .awaited }

  private var contents: Restored {
    var restored = Restored(
      memory: memory, lastSeq: max(lastSeq, reservedSeq), storedSeq: lastSeq, unacknowledged: unacknowledged,
      epoch: epoch, isTailLost: isTailLost)
    restored.tail = records.filter { $0.seq > memorySeq }
    restored.wasInterrupted = reservedSeq > 0
    return restored
  }

  /// The process has died: leaves out numbers, and gives those that it may have told without a commit.
  public mutating func interrupt() -> ClosedRange<Int64> {
    let first = max(lastSeq, reservedSeq) + 1
    reservedSeq = first + 10_000
    return first...reservedSeq
  }

  /// Makes the machine's memory something that nobody can read.
  public mutating func spoilMemory() { memory = Array("{".utf8) }

  /// Replaces a word in the machine's memory, as another version may write it.
  public mutating func change(_ word: String, to other: String) {
    memory = memory.map { Array(String(decoding: $0, as: UTF8.self).replacing(word, with: other).utf8) }
  }

  /// Serves a request as the port would.
  public mutating func serve(_ request: JournalRequest) -> JournalReport {
    if let fault {
      if case .commit(let commit) = request { return .commitFailed(commit.number, reason: fault) }
      return .failed(request, reason: fault)
    }
    if !isOpen {
      guard case .commit(let commit) = request else { return .failed(request, reason: "not open") }
      isOpen = true
      return .opened(commit.number, contents)
    }
    switch request {
    case .commit(let commit):
      if let fullness { return .commitFailed(commit.number, reason: fullness) }
      if let trim = commit.trim, refusesTrim || !fits(trim, commit) {
        refusesTrim = false
        return .trimRefused(commit.number, reason: "records of the trim were acknowledged or removed meanwhile")
      }
      write(commit)
      return .committed(commit.number)
    case .page(let after, let upTo, let limit): return .page(page(after: after, upTo: upTo, limit: limit))
    case .sums(let from, let to, let bucket): return .sums(sums(from: from, to: to, bucket: bucket))
    case .answer(let id): return .answer(answers.last { $0.id == id }?.body)
    case .trim(_, let sparing): return .trim(trim(sparing))
    }
  }

  private mutating func write(_ commit: Commit) {
    for record in commit.records {
      precondition(record.seq > lastSeq, "seq \(record.seq) is not new")
      lastSeq = record.seq
      records.append(record)
    }
    // What is not there yet is passed over, so that no future record is taken for acknowledged.
    for range in commit.acknowledged where range.lowerBound <= lastSeq {
      acknowledged.formUnion(range.clamped(to: 1...lastSeq))
    }
    if !commit.answers.isEmpty { keep(commit.answers) }
    if let new = commit.memory { (memory, memorySeq) = (new, lastSeq) }
    if let offset = commit.clockOffset { clockOffsets[boot] = offset }
    if let trim = commit.trim { carryOut(trim) }
    commits += 1
  }

  /// Keeps answers; the first that an id got stays.
  private mutating func keep(_ new: [Answer]) {
    for answer in new where !answers.contains(where: { $0.id == answer.id }) { answers.append(answer) }
    answers = answers.suffix(256)
  }

  private func position(after seq: Int64) -> Int {
    var (low, high) = (0, records.count)
    while low < high {
      let middle = (low + high) / 2
      if records[middle].seq <= seq { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func page(after: Int64, upTo: Int64, limit: Int) -> [Record] {
    var page: [Record] = []
    for record in records[position(after: after)...] {
      guard record.seq <= upTo, page.count < limit else { break }
      if !acknowledged.contains(record.seq) { page.append(dated(record)) }
    }
    return page
  }

  /// The record as it is dated now that the clock of its boot is known.
  private func dated(_ record: Record) -> Record {
    guard !record.synchronized, let clockOffset = clockOffsets[record.boot] else { return record }
    var dated = record
    dated.wallStart = record.monotonicStart + clockOffset
    dated.wallEnd = record.monotonicEnd + clockOffset
    dated.synchronized = true
    return dated
  }

  private func sums(from: Int64, to: Int64, bucket: Int64?) -> [Sums] {
    guard from < to else { return [] }
    let width = bucket ?? (to - from)
    let records = records.lazy.filter { $0.kind == .steps }.map(dated)
    return stride(from: from, to: to, by: Int(width)).map { start in
      var sums = Sums(start: start, end: min(start + width, to))
      for record in records where record.wallStart < sums.end && record.wallEnd > sums.start {
        let length = Double(record.wallEnd - record.wallStart)
        let overlap = Double(min(record.wallEnd, sums.end) - max(record.wallStart, sums.start))
        let share = length > 0 ? overlap / length : 1
        sums.steps += Int((Double(record.steps) * share).rounded())
        sums.distance += record.distance * share
        sums.activeSeconds += record.activeSeconds * share
        if let up = record.floorsAscended { sums.floorsAscended = (sums.floorsAscended ?? 0) + up }
        if let down = record.floorsDescended { sums.floorsDescended = (sums.floorsDescended ?? 0) + down }
      }
      return sums
    }
  }
}

extension MemoryJournal {
  /// Whether the records of a trim are all there and unacknowledged, and what takes their place comes with it.
  private func fits(_ trim: Trim, _ commit: Commit) -> Bool {
    let going = records.filter { record in trim.ranges.contains { $0.contains(record.seq) } }
    let merged = commit.records.filter { $0.replaces != nil }
    return going.count == trim.records && going.allSatisfy { !acknowledged.contains($0.seq) }
      && merged.map(\.replaces) == trim.merged.map(\.replaces) && merged.map(\.steps) == trim.merged.map(\.steps)
  }

  private mutating func carryOut(_ trim: Trim) {
    trims += 1
    records.removeAll { record in
      guard trim.ranges.contains(where: { $0.contains(record.seq) }) else { return false }
      if record.kind == .event { droppedEvents = true }
      return true
    }
  }

  /// Plans as the journal on disk does: drops merged records beyond what it may keep, merges runs of step records that
  /// nothing acknowledged or spared interrupts, then drops events, each time a little more than it must, so that it ends.
  private func trim(_ sparing: [ClosedRange<Int64>]) -> Trim? {
    let excess = unacknowledged - capacity
    guard excess > 0 else { return nil }
    func isSpared(_ record: Record) -> Bool {
      acknowledged.contains(record.seq) || sparing.contains { $0.contains(record.seq) }
    }
    let merged = records.filter { $0.replaces != nil && !acknowledged.contains($0.seq) }
    if merged.count > mergedCapacity, !isSpared(merged[0]) { return dropping([merged[0]]) }
    var run: [Record] = []
    for record in records {
      if isSpared(record) {
        if run.count > 1 { break }
        run = []
      } else if record.kind == .steps, record.replaces == nil {
        run.append(record)
        if run.count > excess + capacity / 4 { break }
      }
    }
    if run.count > 1 { return merging(run) }
    let events = records.filter { $0.kind == .event && !isSpared($0) }
    return events.count > capacity ? dropping(Array(events.prefix(events.count - capacity * 3 / 4))) : nil
  }

  private func merging(_ run: [Record]) -> Trim? {
    guard var merged = run.first, let last = run.last else { return nil }
    merged.replaces = merged.seq...last.seq
    merged.seq = 0
    merged.body = []
    merged.wallEnd = last.wallEnd
    merged.monotonicEnd = last.monotonicEnd
    merged.steps = run.reduce(0) { $0 + $1.steps }
    merged.distance = run.reduce(0) { $0 + $1.distance }
    merged.activeSeconds = run.reduce(0) { $0 + $1.activeSeconds }
    return Trim(ranges: run.map { $0.seq...$0.seq }, records: run.count, steps: merged.steps, merged: [merged])
  }

  private func dropping(_ going: [Record]) -> Trim {
    Trim(ranges: going.map { $0.seq...$0.seq }, records: going.count, steps: going.reduce(0) { $0 + $1.steps })
  }
}
