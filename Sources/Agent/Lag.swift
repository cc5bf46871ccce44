internal import Wire

/// The steps that were told ahead of the disk: each commit wears a memory card, and wakes a processor.
///
/// They are as few as 5 s hold, and only while the memory on disk says that the wearer walks. Whatever ends the process
/// at once may take them, though they were told: then no number comes twice, since numbers are left out after an
/// interruption, and no total goes down, since it is told no lower than what these steps could make it.
struct Lag: Sendable, Equatable {
  /// How long steps may lag, in ms.
  static let time: Int64 = 5000
  /// How many may lag: 5 s of a sprint.
  static let steps = 25

  /// When the first that lags may have been counted, in ms on the monotonic clock; nil if none does.
  private var since: Int64?
  private var count = 0

  /// When all must go to the disk though nothing new is; nil if nothing lags.
  var due: Int64? { since.map { $0 + Self.time } }

  /// The same with some more, counted within an interval in ms; nil if they must not lag until the next are due.
  func adding(_ records: some Collection<Record>, at now: Instant, interval: Int64) -> Lag? {
    var next = self
    let since = since ?? now.monotonic - interval
    next.since = since
    next.count += records.reduce(0) { $0 + $1.steps }
    return next.count <= Self.steps && now.monotonic + interval - since <= Self.time ? next : nil
  }
}
