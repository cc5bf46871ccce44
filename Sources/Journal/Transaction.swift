extension Journal {
  /// What reaches the disk together or not at all.
  public struct Transaction: Sendable, Equatable {
    /// New records, `seq` ascending and above every one committed before.
    public var records: [Record]
    /// The caller's state after them; nil leaves the stored one.
    public var state: [UInt8]?
    /// Answers given to commands, to be found again by the command's id.
    public var answers: [Answer]
    /// What is now known of a boot's clock.
    public var clock: BootClock?
    /// Records, of before or of this transaction, that need not be sent any more.
    ///
    /// Numbers above the last record are passed over, so that no future record is taken for acknowledged.
    public var acknowledged: [ClosedRange<Int64>]
    /// A planned trim to carry out; `records` holds its merged records with their new `seq`.
    public var trim: Trim?

    /// Makes a transaction.
    public init(
      records: [Record] = [], state: [UInt8]? = nil, answers: [Answer] = [], clock: BootClock? = nil,
      acknowledged: [ClosedRange<Int64>] = [], trim: Trim? = nil
    ) {
      self.records = records
      self.state = state
      self.answers = answers
      self.clock = clock
      self.acknowledged = acknowledged
      self.trim = trim
    }
  }

  /// The answer that a command got.
  public struct Answer: Sendable, Equatable {
    /// The command's id.
    public var id: String
    /// The answer, opaque to the journal.
    public var content: [UInt8]

    /// Makes an answer to the command of an id.
    public init(id: String, content: [UInt8]) {
      self.id = id
      self.content = content
    }
  }

  /// How the wall clock of a boot stands to its monotonic clock.
  ///
  /// Records taken in that boot before its clock was synchronised are dated by it when they are read; what is on disk
  /// stays as it was written.
  public struct BootClock: Sendable, Equatable {
    /// The boot.
    public var boot: String
    /// Wall time minus monotonic time, in ms, once the wall clock is synchronised.
    public var wallOffset: Int64

    /// Makes a clock of a boot from its offset in ms.
    public init(boot: String, wallOffset: Int64) {
      self.boot = boot
      self.wallOffset = wallOffset
    }
  }
}
