/// Random numbers that follow from a seed (SplitMix64: Steele, Lea, Flood, OOPSLA 2014).
public struct Randomness: RandomNumberGenerator, Sendable, Equatable {
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

  /// Gives 32 hexadecimal digits.
  mutating func name() -> String {
    (0..<2).map { _ in
      let digits = String(next(), radix: 16)
      return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }.joined()
  }
}
