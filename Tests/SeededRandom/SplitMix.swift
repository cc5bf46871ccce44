/// Random numbers that follow from a seed, so that a failure can be repeated (SplitMix64: Steele, Lea, Flood, OOPSLA 2014).
///
/// The one generator of the tests and tools; the modules under test do not know it.
public struct SplitMix: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Makes the sequence of a seed.
  public init(seed: UInt64) { state = seed }

  /// Gives the next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
