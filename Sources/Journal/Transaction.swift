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
    /// A planned trim to carry out; `records` holds its merged records with their new `seq`.
    public var trim: Trim?

    /// Whether a loss of power may take it; the end of the process may not.
    ///
    /// It is then written without waiting for the disk, which the next one that must not lag does for all before it.
    public var mayLag: Bool

    /// Makes a transaction.
    public init(
      records: [Record] = [], state: [UInt8]? = nil, answers: [Answer] = [], clock: BootClock? = nil,
      trim: Trim? = nil, mayLag: Bool = false
    ) {
      self.records = records
      self.state = state
      self.answers = answers
      self.clock = clock
      self.trim = trim
      self.mayLag = mayLag
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
