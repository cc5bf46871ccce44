public import Wire

/// Where the wearer was found to be, and when.
public struct Fix: Sendable, Equatable {
  /// The place, and how exactly it is known.
  public var position: Position
  /// The moment at which they were there, in ms on the monotonic clock.
  public var moment: Int64

  /// Makes a fix.
  public init(_ position: Position, moment: Int64) {
    self.position = position
    self.moment = moment
  }
}

/// What a source of positions reports.
public enum LocationReport: Sendable, Equatable {
  /// The wearer is at a place, now.
  case position(Position)
  /// The source is there; positions may take a while.
  case found(String)
  /// The source went away or cannot be reached; it goes on trying.
  case lost(reason: String)
}
