internal import Wire

/// The history lane: pages through what is committed and unacknowledged, at a bounded rate.
struct Replay: Sendable, Equatable {
  /// The most records in a batch (the wire's contract).
  static let batchLimit = 50
  /// How many records a page has: a few batches, so that the disk is not asked for each; the next is read meanwhile.
  static let pageLimit = 250

  private enum Fetch: Sendable, Equatable {
    case none
    /// A page up to a seq is under way; more may be included meanwhile.
    case running(upTo: Int64)
    /// The page under way belongs to a course that was given up.
    case stale
  }

  /// Everything up to here was read.
  private(set) var cursor: Int64 = 0
  /// Everything up to here belongs to this lane.
  private(set) var upTo: Int64 = 0
  /// What was read and waits: a slice, from whose beginning records are taken without moving the others.
  private(set) var buffer: ArraySlice<Record> = []
  private var fetch = Fetch.none
  /// How much is under way at once.
  var pace = ReplayPace()
  private var notBefore: Int64 = 0
  private var bucket: TokenBucket?

  init(rate: Double?) {
    bucket = rate.map { TokenBucket(rate: $0, burst: max(Double(Self.batchLimit), $0)) }
  }

  /// Whether records are left to send.
  var hasWork: Bool { !buffer.isEmpty || cursor < upTo }

  /// Begins anew: everything up to a seq, not before a time in ms.
  mutating func restart(upTo seq: Int64, notBefore time: Int64) {
    giveUp()
    (cursor, upTo, notBefore) = (0, seq, time)
  }

  /// Ends the course; the connection is gone.
  mutating func stop() { restart(upTo: 0, notBefore: 0) }

  /// Takes in a record that could not go live.
  mutating func include(_ seq: Int64) {
    upTo = max(upTo, seq)
    if seq <= cursor {
      // What was read and waits is read again, too.
      cursor = min(seq, buffer.first?.seq ?? seq) - 1
      giveUp()
    }
  }

  private mutating func giveUp() {
    buffer = []
    switch fetch {
    case .none: break
    case .running, .stale: fetch = .stale
    }
  }

  /// Waits no longer.
  mutating func hurry() { notBefore = 0 }

  /// Waits until a time in ms: the broker refuses this lane.
  mutating func pause(until time: Int64) { notBefore = time }

  /// The page to ask for now, if any.
  mutating func request(at now: Int64) -> JournalRequest? {
    guard now >= notBefore, fetch == .none, buffer.count < Self.pageLimit, cursor < upTo else { return nil }
    fetch = .running(upTo: upTo)
    return .page(after: cursor, upTo: upTo, limit: Self.pageLimit)
  }

  /// Takes a page; `isTaken` tells what is on its way by another lane or acknowledged meanwhile.
  mutating func take(_ page: [Record], isTaken: (Int64) -> Bool) {
    defer { fetch = .none }
    switch fetch {
    case .none, .stale: break
    case .running(let upTo):
      buffer += page.filter { !isTaken($0.seq) }
      cursor = page.count < Self.pageLimit ? upTo : (page.last?.seq ?? upTo)
    }
  }

  /// The page does not count; it is asked for again.
  mutating func discardPage() { fetch = .none }

  /// The page could not be read.
  mutating func pageFailed(until time: Int64) {
    fetch = .none
    notBefore = time
  }

  /// Takes the next batch if its time has come: `size` gives a record's bytes, `most` bounds their sum; it ends before
  /// the first record that `isHeld` back.
  mutating func batch(at now: Int64, most: Int, isHeld: (Record) -> Bool, size: (Record) -> Int) -> [Record]? {
    guard now >= notBefore, !buffer.isEmpty, fetch == .none || buffer.count >= Self.batchLimit else { return nil }
    // Not before there is room for all that a batch may hold: measuring records is the dear part.
    if let bucket, bucket.ready(min(pace.batch, buffer.count), after: now) > now { return nil }
    var count = 0
    var bytes = 0
    for record in buffer.prefix(pace.batch) {
      if isHeld(record) || (count > 0 && bytes + record.leastSize > most) { break }
      bytes += size(record) + 1
      if count > 0, bytes > most { break }
      count += 1
    }
    guard count > 0 else { return nil }
    _ = bucket?.take(count, at: now)
    defer { buffer.removeFirst(count) }
    return Array(buffer.prefix(count))
  }

  /// When the next batch may go, in ms; nil when nothing is left or a page is awaited.
  func deadline(after now: Int64) -> Int64? {
    guard hasWork, fetch == .none else { return nil }
    let allowed = bucket?.ready(min(pace.batch, max(1, buffer.count)), after: now) ?? now
    return max(notBefore, allowed)
  }

  /// A batch was refused as a whole: its records go again, fewer at a time.
  mutating func split(_ records: [Record]) {
    pace.split(records.count)
    putBack(records)
  }

  /// Puts a batch back where it belongs: several may come back, in any order; what lies ahead will be read again.
  mutating func putBack(_ records: [Record]) {
    buffer = (records.filter { $0.seq <= cursor } + buffer).sorted { $0.seq < $1.seq }[...]
  }
}
