extension Journal {
  /// What opening found.
  public struct Recovery: Sendable, Equatable {
    /// How the file came to be.
    public enum Origin: Sendable, Equatable {
      /// There was none; a new one was made.
      case fresh
      /// It was closed in order.
      case closed
      /// Its process ended without closing it; what was committed is there.
      case interrupted
      /// Its write-ahead log is gone, and with it the latest commits; what was there before is intact.
      case tailLost
      /// It could not be used and was set aside at a path for a reason; a new one was made.
      case replaced(path: String, reason: String)
    }

    /// How the file came to be.
    public var origin: Origin
    /// The epoch of the journal's numbers.
    public var epoch: String
    /// The state as last committed; nil in a new journal.
    public var state: [UInt8]?
    /// The records that were committed after that state, in order.
    public var tail: [Record] = []
    /// The highest `seq` that the journal knows; 0 if none.
    public var lastSequence: Int64
    /// The first `seq` to use.
    ///
    /// After an interruption it leaves out more numbers than the write-ahead log can hold records: a disk that lost
    /// what it had confirmed (as SD cards do at a power cut) can then not make one number stand for two records.
    public var nextSequence: Int64
  }

  /// How many numbers are left out after an interruption: 1 MiB of write-ahead log over some 100 bytes a record.
  static let sequenceGap: Int64 = 10_000
}
