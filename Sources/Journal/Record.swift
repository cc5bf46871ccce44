extension Journal {
  /// One entry of the log: columns that sums need, and a payload that the journal never looks into.
  public struct Record: Sendable, Equatable {
    /// What a record tells.
    public enum Kind: Int64, Sendable, CaseIterable {
      /// Steps of an interval.
      case steps = 0
      /// Something that happened.
      case event = 1
    }

    /// The record's number: at least 1, ascending, never used twice within an epoch.
    public var seq: Int64
    /// What the record tells.
    public var kind: Kind
    /// The boot in which it was taken; monotonic times compare only within one.
    public var boot: String
    /// The start on the monotonic clock, in ms.
    public var monotonicStart: Int64
    /// The end on the monotonic clock, in ms; the record's length is measured here.
    public var monotonicEnd: Int64
    /// The start on the wall clock, in ms since 1970.
    public var wallStart: Int64
    /// The end on the wall clock, in ms since 1970.
    public var wallEnd: Int64
    /// Whether the wall clock was synchronised, or the dates were put right since (see `BootClock`).
    public var isSynchronized: Bool
    /// The steps of the interval; in an event those that it names as gone, which no question of the history counts.
    public var steps: Int
    /// The distance on foot, in m.
    public var distance: Double
    /// The time spent on foot, in s.
    public var activeDuration: Double
    /// Floors climbed; nil where they cannot be measured.
    public var floorsAscended: Int?
    /// Floors descended; nil where they cannot be measured.
    public var floorsDescended: Int?
    /// The step records that this one stands for: who has some of them forgets them when this one arrives.
    public var replaces: ClosedRange<Int64>?
    /// Everything else, opaque to the journal.
    public var payload: [UInt8]

    /// Makes a record; times in ms, distance in m, active duration in s.
    public init(
      seq: Int64, kind: Kind, boot: String, monotonicStart: Int64, monotonicEnd: Int64, wallStart: Int64,
      wallEnd: Int64, isSynchronized: Bool, steps: Int = 0, distance: Double = 0, activeDuration: Double = 0,
      floorsAscended: Int? = nil, floorsDescended: Int? = nil, replaces: ClosedRange<Int64>? = nil,
      payload: [UInt8] = []
    ) {
      self.seq = seq
      self.kind = kind
      self.boot = boot
      self.monotonicStart = monotonicStart
      self.monotonicEnd = monotonicEnd
      self.wallStart = wallStart
      self.wallEnd = wallEnd
      self.isSynchronized = isSynchronized
      self.steps = steps
      self.distance = distance
      self.activeDuration = activeDuration
      self.floorsAscended = floorsAscended
      self.floorsDescended = floorsDescended
      self.replaces = replaces
      self.payload = payload
    }
  }
}
