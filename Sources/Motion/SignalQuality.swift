/// What was wrong with the samples so far, and what is wrong with them now.
public struct SignalQuality: Sendable, Equatable {
  /// What makes counting worse than it could be.
  public struct Degradation: OptionSet, Sendable, Hashable {
    /// One bit a fault.
    public var rawValue: UInt8
    /// Makes a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Fewer than 10 samples a second arrive: steps are lost.
    public static let slow = Degradation(rawValue: 1)
    /// More than a fifth of the time was without samples, or more than a fifth of them could not be used.
    public static let incomplete = Degradation(rawValue: 2)
    /// More than a fifth of the stamps repeat, go back or are bunched.
    public static let disordered = Degradation(rawValue: 4)
    /// More than one sample in fifty lies at the end of the sensor's range.
    public static let saturated = Degradation(rawValue: 8)
  }

  /// The slowest rate at which steps can be counted, in samples/s: two samples for each half of a quick step, less what a
  /// clock may be wrong by.
  public static var slowest: Float { 9.5 }

  /// The samples that were used.
  public internal(set) var samples = 0
  /// The samples dropped because their stamp repeats the one before.
  public internal(set) var repeated = 0
  /// The samples dropped because their stamp goes back.
  public internal(set) var reversed = 0
  /// The samples used at a time of their own because their stamps were bunched after a hole.
  public internal(set) var respaced = 0
  /// The samples dropped because a value is no number or beyond 100 g.
  public internal(set) var invalid = 0
  /// The samples used although an axis stays at one value beyond 1.9 g, the end of the sensor's range.
  public internal(set) var saturated = 0
  /// The times that the signal began anew: holes of more than 0.5 s, and clocks set back.
  public internal(set) var gaps = 0
  /// The mean rate of late, in samples/s; 0 before the first.
  public internal(set) var rate: Float = 0
  /// What was wrong during the last ten seconds of signal or more.
  public internal(set) var degradation: Degradation = []

  /// Makes the quality of a signal that has not begun.
  public init() {}
}
