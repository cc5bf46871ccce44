extension Journal {
  /// What must leave the outbox so that the journal stays within its bounds.
  ///
  /// The caller gives each merged record a new `seq` and a payload, and commits them with the trim and with an event
  /// that names it. Nothing happens before that commit, and everything in it.
  public struct Trim: Sendable, Equatable {
    /// Why records must go.
    public enum Reason: String, Sendable, CaseIterable {
      /// They are too old.
      case age
      /// The journal or its disk is too full.
      case space
    }

    /// Why the records must go.
    public var reason: Reason
    /// What kind of record goes: steps as long as there are any, then events.
    public var kind: Record.Kind
    /// The numbers of the records that go, as the fewest ranges that hold no other record.
    public var ranges: [ClosedRange<Int64>]
    /// How many records go.
    public var records: Int
    /// The steps in the records that go.
    public var steps: Int
    /// What takes their place: a record an hour, `seq` 0, without payload; none if the steps are dropped.
    public var merged: [Record]

    /// The lowest to the highest number of the records that go.
    public var bounds: ClosedRange<Int64> { (ranges.first?.lowerBound ?? 0)...(ranges.last?.upperBound ?? 0) }
    /// The steps that no record tells of any more.
    public var stepsDropped: Int { steps - merged.reduce(0) { $0 + $1.steps } }
  }
}
