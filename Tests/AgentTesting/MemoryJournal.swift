public import Agent
public import Wire

/// A journal in memory that keeps the port's contract: a commit is whole or not there at all.
public struct MemoryJournal: Sendable {
  /// All committed records, in order of seq.
  public private(set) var records: [Record] = []
  /// The seqs that the broker acknowledged, as far as that is on disk.
  public private(set) var acknowledged: Set<Int64> = []
  /// The machine's memory of the last commit.
  public private(set) var memory: [UInt8]?
  /// The answers kept, the last 256 of them.
  public private(set) var answers: [Answer] = []
  /// How many commits there were.
  public private(set) var commits = 0
  /// Why every request fails now; nil while the disk works.
  public var fault: String?
  /// Whether it is open; where it is not, the next commit opens it instead, unless there is a fault.
  public var isOpen = true
  /// How many unacknowledged records it keeps; what is beyond is merged into one, oldest steps first.
  public var capacity = Int.max

  /// Makes an empty journal.
  public init() {}

  /// The steps of all committed records.
  public var steps: Int { records.reduce(0) { $0 + $1.steps } }

  /// What a machine is given that starts on this journal.
  public var restored: Restored { isOpen ? contents : .awaited }

  private var contents: Restored {
    Restored(
      memory: memory, lastSeq: records.last?.seq ?? 0,
      unacknowledged: records.count { !acknowledged.contains($0.seq) })
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
      write(commit)
      return .committed(commit.number)
    case .page(let after, let upTo, let limit):
      let waiting = records.filter { $0.seq > after && $0.seq <= upTo && !acknowledged.contains($0.seq) }
      return .page(Array(waiting.prefix(limit)))
    case .sums(let from, let to, let bucket): return .sums(sums(from: from, to: to, bucket: bucket))
    case .answer(let id): return .answer(answers.last { $0.id == id }?.body)
    case .trim(_, let sparing): return .trim(trim(sparing))
    }
  }

  private mutating func write(_ commit: Commit) {
    for record in commit.records {
      precondition(record.seq > (records.last?.seq ?? 0), "seq \(record.seq) is not new")
      records.append(record)
    }
    memory = commit.memory
    answers = Array((answers + commit.answers).suffix(256))
    for range in commit.acknowledged { acknowledged.formUnion(range) }
    if let trim = commit.trim {
      records.removeAll { record in trim.ranges.contains { $0.contains(record.seq) } }
    }
    commits += 1
  }

  private func sums(from: Int64, to: Int64, bucket: Int64?) -> [Sums] {
    let width = bucket ?? (to - from)
    return stride(from: from, to: to, by: Int(width)).map { start in
      var sums = Sums(start: start, end: min(start + width, to))
      for record in records where record.wallStart < sums.end && record.wallEnd > sums.start {
        let length = Double(record.wallEnd - record.wallStart)
        let overlap = Double(min(record.wallEnd, sums.end) - max(record.wallStart, sums.start))
        let share = length > 0 ? overlap / length : 1
        sums.steps += Int((Double(record.steps) * share).rounded())
        sums.distance += record.distance * share
        sums.activeSeconds += record.activeSeconds * share
      }
      return sums
    }
  }

  private func trim(_ sparing: [ClosedRange<Int64>]) -> Trim? {
    let waiting = records.filter { !acknowledged.contains($0.seq) }
    guard waiting.count > capacity else { return nil }
    let going = waiting.filter { record in
      record.kind == .steps && !sparing.contains { $0.contains(record.seq) }
    }.prefix(waiting.count - capacity + 1)
    guard going.count > 1, var merged = going.first, let last = going.last else { return nil }
    merged.seq = 0
    merged.body = []
    merged.wallEnd = last.wallEnd
    merged.monotonicEnd = last.monotonicEnd
    merged.steps = going.reduce(0) { $0 + $1.steps }
    return Trim(
      ranges: going.map { $0.seq...$0.seq }, records: going.count, steps: merged.steps, merged: [merged])
  }
}
