internal import Wire

extension Course {
  /// What courses met: those that never meet a trouble prove nothing about it.
  public struct Encounters: Sendable, Equatable {
    /// Records that came again.
    public var repetitions = 0
    /// Trims carried out.
    public var trims = 0
    /// Merged records that arrived.
    public var merged = 0
    /// Records that the consumer forgot, since others took their place.
    public var forgotten = 0
    /// Steps that events named as dropped, lost or parked.
    public var gone = 0
    /// Crossings of borders.
    public var crossings = 0
    /// Steps that the end of a process took from the device though they were told.
    public var remembered = 0

    /// Makes the encounters of no course.
    public init() {}

    /// Adds those of other courses.
    public static func += (one: inout Encounters, other: Encounters) {
      one.repetitions += other.repetitions
      one.trims += other.trims
      one.merged += other.merged
      one.forgotten += other.forgotten
      one.gone += other.gone
      one.crossings += other.crossings
      one.remembered += other.remembered
    }
  }

  /// What this course met.
  public var encounters: Encounters {
    var met = Encounters()
    met.repetitions = world.consumer.repetitions
    met.trims = world.journal.trims
    met.merged = world.consumer.records.values.count { $0["replaces"] != nil }
    met.forgotten = world.consumer.forgotten.count
    met.gone = world.consumer.stepsNamedGone
    met.crossings = world.consumer.records.values.count { $0["region"] != nil }
    met.remembered = world.remembered
    return met
  }
}
