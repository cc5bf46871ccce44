internal import Wire

/// The commits of steps that are not forced to the disk: each write that is forced wears a memory card.
///
/// The process may die at any time without losing them, but a loss of power may take them, though they were told. They
/// are few enough that this is what 5 s hold; then no number comes twice, since numbers are left out after an
/// interruption, and no total goes down, since it is told no lower than what these steps could make it.
struct Lag: Sendable, Equatable {
  /// How long steps may lag, in ms.
  static let time: Int64 = 5000
  /// How many may lag: 5 s of a sprint.
  static let steps = 25

  /// When the first that lags was begun, in ms on the monotonic clock; nil if none does.
  private var since: Int64?
  private var count = 0

  /// When all must be forced to the disk though nothing new is; nil if nothing lags.
  var due: Int64? { since.map { $0 + Self.time } }

  /// Whether some more may lag until the next are due, after an interval in ms.
  func takes(_ records: [Record], at now: Instant, interval: Int64) -> Bool {
    let next = adding(records)
    guard let since = next.since else { return false }
    return next.count <= Self.steps && now.monotonic + interval - since <= Self.time
  }

  /// The same with some more.
  func adding(_ records: [Record]) -> Lag {
    var next = self
    next.since = since ?? records.first?.monotonicStart
    next.count += records.reduce(0) { $0 + $1.steps }
    return next
  }
}
