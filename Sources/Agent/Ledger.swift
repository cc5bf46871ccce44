internal import Wire

/// The records on their way to the disk, and what the broker has acknowledged of those on it.
///
/// At most one commit is in flight. While the disk refuses, records wait in a bounded ring: beyond it the oldest are
/// dropped and counted.
struct Ledger: Sendable {
  /// How many records memory holds while the disk refuses them.
  static let capacity = 4096
  /// How long after a failure the disk is tried again, in ms.
  static let retryDelay: Int64 = 60_000

  /// What is wrong with the disk.
  struct Fault: Sendable, Equatable {
    var reason: String
    /// When it is tried again, in ms on the monotonic clock.
    var retryAt: Int64
  }

  /// A commit in flight, and what follows once it is on disk.
  struct Flight: Sendable, Equatable {
    var commit: Commit
    var snapshot: DeviceState
    var replies: [Reply]
    /// The records that tell of the commit's trim.
    var trimSeqs: Set<Int64>
  }

  private(set) var nextSeq: Int64
  /// The last record that is on disk.
  private(set) var lastCommitted: Int64
  private(set) var waiting: [Record] = []
  /// The last number that was told ahead of the disk.
  private var toldUpTo: Int64 = 0
  /// A trim that waits for the next commit, or is on its way in it.
  private(set) var trim: Trim?
  private var trimSeqs: Set<Int64> = []
  private(set) var flight: Flight?
  private(set) var fault: Fault?
  /// Acknowledged by the broker, but not on disk as such.
  private(set) var acknowledged = IntervalSet()
  /// How many committed records the broker has not acknowledged.
  private(set) var depth: Int
  /// Records that the ring had to drop since the start, and those of them that no event has told yet.
  private(set) var lost = 0
  private var losses: (count: Int, steps: Int) = (0, 0)
  /// Answers that were given while the disk refused, to be kept once it does not.
  private var answers: [Answer] = []
  /// What was told and is not on disk.
  private(set) var lag = Lag()
  /// Since when the disk lacks something of the memory or of what was acknowledged, in ms on the monotonic clock.
  private(set) var owesSince: Int64?
  private var number: UInt64 = 0

  init(nextSeq: Int64, depth: Int) {
    self.nextSeq = nextSeq
    self.depth = depth
    lastCommitted = nextSeq - 1
  }

  /// Whether nothing is on its way to the disk.
  var isIdle: Bool { waiting.isEmpty && trim == nil && flight == nil }

  /// Whether nothing waits for the disk to be told.
  var isTold: Bool { untold.isEmpty && trim == nil && flight == nil }

  /// What waits and was not told.
  private var untold: ArraySlice<Record> { waiting[(waiting.firstIndex { !isTold($0) } ?? waiting.endIndex)...] }

  /// Whether a record was told before it was on disk.
  func isTold(_ record: Record) -> Bool { record.seq <= toldUpTo }

  /// Whether the answer to a command of this id is on its way to the disk.
  func isKeeping(_ id: String) -> Bool { flight?.replies.contains { $0.response.id == id } == true }

  /// Whether answers that were given without the disk wait for it.
  var hasAnswers: Bool { !answers.isEmpty }

  /// Records that are not on disk.
  var unsaved: Int { waiting.count + (flight?.commit.records.count ?? 0) }

  /// Numbers a record and lets it wait for the next commit.
  mutating func append(_ record: Record) {
    var numbered = record
    numbered.seq = nextSeq
    nextSeq += 1
    waiting.append(numbered)
    if waiting.count > Self.capacity { drop(waiting.count - Self.capacity) }
  }

  /// Drops the oldest records but those that were told, which are few and must not be named as lost.
  private mutating func drop(_ count: Int) {
    let dropped = untold.prefix(count)
    for record in dropped {
      lost += 1
      losses.count += 1
      losses.steps += record.steps
    }
    waiting.removeSubrange(dropped.indices)
  }

  /// Takes on a trim with the records that take the place of what goes, and the event that tells of it.
  mutating func append(_ new: Trim, records: [Record]) {
    precondition(trim == nil, "a second trim may have been planned on what the first removes")
    trim = new
    for record in records {
      trimSeqs.insert(nextSeq)
      append(record)
    }
  }

  /// Takes what was lost and not yet told.
  mutating func takeLosses() -> (count: Int, steps: Int)? {
    guard losses.count > 0 else { return nil }
    defer { losses = (0, 0) }
    return losses
  }

  /// Whether a commit of now would have nothing but steps.
  var hasStepsAlone: Bool {
    fault == nil && trim == nil && answers.isEmpty && !waiting.isEmpty && waiting.allSatisfy { $0.kind == .steps }
  }

  /// Gives what is to be told ahead of the disk, where it goes with the next commit, and was counted within an interval
  /// in ms.
  ///
  /// Nil unless it is steps alone, and few enough to be lost.
  mutating func tellAhead(at now: Instant, interval: Int64) -> [Record]? {
    let ahead = Array(untold)
    guard let last = ahead.last, ahead.allSatisfy({ $0.kind == .steps }), flight == nil, fault == nil, trim == nil,
      answers.isEmpty, let lag = lag.adding(ahead, at: now, interval: interval)
    else { return nil }
    self.lag = lag
    toldUpTo = last.seq
    return ahead
  }

  /// Puts all that waits into one commit; without memory it leaves what was acknowledged to a later one, too.
  mutating func depart(
    memory: [UInt8]?, snapshot: DeviceState, replies: [Reply], clockOffset: Int64?, at now: Instant
  ) -> Commit {
    precondition(flight == nil, "a second commit would overtake the first")
    number += 1
    for reply in replies { keep(reply.response) }
    defer { answers = [] }
    let commit = Commit(
      number: number, records: waiting, memory: memory, answers: answers,
      acknowledged: memory == nil ? [] : acknowledged.ranges, trim: trim, clockOffset: clockOffset)
    lag = Lag()
    flight = Flight(commit: commit, snapshot: snapshot, replies: replies, trimSeqs: trimSeqs)
    waiting = []
    trimSeqs = []
    owesSince = memory == nil ? owesSince ?? now.monotonic : nil
    return commit
  }

  /// The commit in flight is on disk; gives it without the records that the broker has by now.
  ///
  /// Nil if it is not the one in flight.
  mutating func arrive(_ number: UInt64) -> Flight? {
    guard var arrived = flight, arrived.commit.number == number else { return nil }
    flight = nil
    fault = nil
    if let last = arrived.commit.records.last { lastCommitted = last.seq }
    arrived.commit.records.removeAll { acknowledged.contains($0.seq) }
    acknowledged.subtract(arrived.commit.acknowledged)
    depth = max(0, depth + arrived.commit.records.count - (arrived.commit.trim?.records ?? 0))
    if arrived.commit.trim != nil { trim = nil }
    return arrived
  }

  /// The commit in flight was refused for its trim: the same again without it and what tells of it.
  ///
  /// Nil if it is not the one in flight, or has no trim to be refused for.
  mutating func departWithoutTrim(_ number: UInt64) -> Commit? {
    guard let refused = flight, refused.commit.number == number, refused.commit.trim != nil else { return nil }
    self.number += 1
    var flight = refused
    flight.commit.number = self.number
    flight.commit.trim = nil
    flight.commit.records.removeAll { refused.trimSeqs.contains($0.seq) }
    flight.trimSeqs = []
    trim = nil
    self.flight = flight
    return flight.commit
  }

  /// The commit in flight is not on disk: its records wait again; nil if it is not the one in flight.
  mutating func fail(_ number: UInt64, reason: String, at now: Instant) -> Flight? {
    guard let failed = flight, failed.commit.number == number else { return nil }
    flight = nil
    fault = Fault(reason: reason, retryAt: now.monotonic + Self.retryDelay)
    // A trim is planned anew: it may have been the trim that was refused.
    waiting = failed.commit.records.filter { !failed.trimSeqs.contains($0.seq) } + waiting
    if failed.commit.trim != nil { trim = nil }
    // Those of its own replies are given anew.
    let own = Set(failed.replies.compactMap(\.response.id))
    answers = failed.commit.answers.filter { !own.contains($0.id) } + answers
    owesSince = owesSince ?? now.monotonic
    if waiting.count > Self.capacity { drop(waiting.count - Self.capacity) }
    return failed
  }

  /// A journal was opened after all: what waits is numbered on from there, and goes to its disk at once.
  ///
  /// In the epoch that these numbers were given in they stay, save for what proves to be on disk already.
  mutating func rebase(on restored: Restored, nextSeq next: Int64, isSameEpoch: Bool) {
    if isSameEpoch {
      waiting.removeAll { $0.seq <= restored.storedSeq }
      nextSeq = max(nextSeq, next)
      lastCommitted = max(lastCommitted, restored.storedSeq)
    } else {
      nextSeq = next
      lastCommitted = next - 1
      for index in waiting.indices {
        waiting[index].seq = nextSeq
        nextSeq += 1
      }
    }
    fault = nil
    // What the broker has taken, and the journal was not told before it was opened again, will not be taken once more.
    let taken = isSameEpoch ? acknowledged.ranges.joined().count { $0 <= restored.storedSeq } : 0
    depth = max(0, restored.unacknowledged - taken)
  }

  /// Rewrites what waits.
  mutating func rewrite(_ change: (inout Record) -> Void) {
    for index in waiting.indices { change(&waiting[index]) }
  }

  /// Tries a disk that refused at once.
  mutating func retry(at now: Instant) { fault?.retryAt = now.monotonic }

  /// Lets an answer be kept with the next commit.
  mutating func keep(_ response: Response) {
    guard let id = response.id else { return }
    answers.append(Answer(id: id, body: response.body))
    // While the disk refuses, what is long is given up first: the id and the verdict are what must not be forgotten.
    let bytes = answers.reduce(0) { $0 + $1.body.count }
    if bytes > CommandDesk.memoryBytes {
      answers = answers.map {
        Answer(id: $0.id, body: Response(id: $0.id, status: .done, body: $0.body).bare.body)
      }
    }
    if answers.count > CommandDesk.memory { answers.removeFirst() }
  }

  /// The broker has a record.
  mutating func acknowledge(_ seq: Int64, at now: Instant) {
    guard !acknowledged.contains(seq) else { return }
    acknowledged.insert(seq)
    if seq <= lastCommitted { depth = max(0, depth - 1) }
    owesSince = owesSince ?? now.monotonic
  }
}
