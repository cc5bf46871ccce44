public import Motion
public import Wire

/// Where samples come from.
public protocol SensorPort: Sendable {
  /// Opens the sensor and delivers what it gives until the task is cancelled or a recording ended.
  ///
  /// `deliver` returns when the agent has taken the input: a source that is faster than the agent waits, nothing queues.
  func run(_ deliver: @escaping @Sendable (SensorInput) async -> Void) async
}

/// What a sensor delivers, in order.
public enum SensorInput: Sendable, Equatable {
  /// It was opened.
  case found(SensorIdentity)
  /// Samples, their times in s on the monotonic clock of `ClockPort`.
  case samples([AccelerometerSample])
  /// Readings of a barometer, their times on the same clock.
  case pressures([PressureSample])
  /// The barometer reports about itself; whatever it says, counting goes on.
  case barometer(BarometerReport)
  /// So many more samples could not be read or had to be dropped, and so many more were left out by the device.
  case faults(dropped: Int, missing: Int)
  /// Something is wrong with what it gives that a person should know, such as a wrong unit.
  case warning(String)
  /// It went away or cannot be opened; the source goes on trying.
  case lost(SensorLoss)
  /// The recording ended.
  case ended
}

/// Where positions of the wearer come from, other than the broker.
public protocol LocationPort: Sendable {
  /// Delivers positions until the task is cancelled; goes on trying while the source is away.
  func run(_ deliver: @escaping @Sendable (LocationReport) async -> Void) async
}

/// The durable log.
///
/// One request at a time is made, in order; each may take as long as a slow disk does.
public protocol JournalPort: Sendable {
  /// Writes all of it in one transaction that is on disk when this returns, or nothing.
  ///
  /// Where the journal was opened only now, nothing is written and the error has `opened`.
  func commit(_ commit: Commit) async throws(PortError)
  /// Gives unacknowledged records with `after` < seq ≤ `upTo`, in order of seq.
  func unacknowledged(after: Int64, upTo: Int64, limit: Int) async throws(PortError) -> [Record]
  /// Gives the sums of an interval of wall time in ms since 1970; one, or one a bucket, empty buckets included.
  ///
  /// A record counts by the share of its length that lies in the interval.
  func sums(from: Int64, to: Int64, bucket: Int64?) async throws(PortError) -> [Sums]
  /// Gives the body of the answer kept for an id.
  func answer(toCommand id: String) async throws(PortError) -> [UInt8]?
  /// Tidies up what nobody misses, and plans what has to be merged or dropped; see `JournalRequest.trim`.
  func trim(at now: Int64?, sparing: [ClosedRange<Int64>]) async throws(PortError) -> Trim?
}

/// Why an adapter could not do what was asked.
public struct PortError: Error, Sendable, Equatable {
  /// What is wrong, and what to do about it.
  public var message: String
  /// What a journal knows that was opened, or opened again, instead of a commit; the commit is made anew on top of it.
  public var opened: Restored?
  /// Whether the trim of a commit is to blame, which fits no more what is on disk; without it the commit succeeds.
  public var blamesTrim: Bool

  /// Makes an error.
  public init(_ message: String, opened: Restored? = nil, blamesTrim: Bool = false) {
    self.message = message
    self.opened = opened
    self.blamesTrim = blamesTrim
  }
}

/// The way to the broker.
public protocol BrokerPort: Sendable {
  /// Connects, reconnects and delivers reports in order until the task is cancelled.
  ///
  /// Subscribes to `Topics.subscriptions` and sets the will (`availability`, `offline`, retained) by itself.
  /// `disconnected` says that everything in flight failed; what is handed over after it, in the moment until the agent
  /// hears of it, is dropped. `deliver` takes what has come since the last time, and returns when the agent has it.
  func run(_ deliver: @escaping @Sendable ([BrokerReport]) async -> Void) async
  /// Takes publications in their order without waiting; never called while disconnected, save for a moment's race.
  ///
  /// No more than the connection's window may be unacknowledged at the broker. As many again are handed over, and each
  /// waits in the port until one before it is acknowledged.
  func publish(_ publications: [Publication])
  /// Lets go the acknowledgement of a message.
  func confirm(message number: UInt64)
}

/// What time it is.
public protocol ClockPort: Sendable {
  /// The moment by all clocks.
  func now() -> Instant
  /// Waits until the monotonic clock shows so many ms, or until the task is cancelled.
  func sleep(until monotonic: Int64) async
}

/// The process that the agent runs in: its log, and what it takes of memory.
public protocol HostPort: Sendable {
  /// Writes a line to the log.
  func log(_ level: LogLevel, _ message: String)
  /// The resident memory of the process, in bytes.
  func residentBytes() -> Int?
}

/// What the journal knew when it was opened.
public struct Restored: Sendable, Equatable {
  /// The machine's memory of the last commit; nil in a new journal.
  public var memory: [UInt8]?
  /// The highest seq that must not be used again; 0 when there is none.
  public var lastSeq: Int64
  /// The highest seq in the journal, which may be lower: numbers are left out after a crash.
  public var storedSeq: Int64
  /// How many records the broker has not acknowledged.
  public var unacknowledged: Int
  /// The records that were written after that memory, in order of seq.
  public var tail: [Record] = []
  /// Whether the process before ended without closing it, so that steps may have been told which no commit has.
  public var wasInterrupted = false
  /// The name under which a damaged journal was set aside when this one was opened.
  public var damagedFile: String?
  /// The journal's own epoch, in which its records were numbered; nil where nobody knows it.
  public var epoch: String?
  /// Whether the disk lost the latest commits, which it had confirmed.
  public var isTailLost = false
  /// Whether the journal could not be opened yet, so that nobody knows what it knows.
  public var isAwaited = false

  /// Makes what a new, empty journal knows.
  public init(
    memory: [UInt8]? = nil, lastSeq: Int64 = 0, storedSeq: Int64? = nil, unacknowledged: Int = 0,
    damagedFile: String? = nil, epoch: String? = nil, isTailLost: Bool = false
  ) {
    self.epoch = epoch
    self.isTailLost = isTailLost
    self.memory = memory
    self.lastSeq = lastSeq
    self.storedSeq = storedSeq ?? lastSeq
    self.unacknowledged = unacknowledged
    self.damagedFile = damagedFile
  }

  /// What is known while the journal cannot be opened.
  public static var awaited: Restored {
    var restored = Restored()
    restored.isAwaited = true
    return restored
  }
}
