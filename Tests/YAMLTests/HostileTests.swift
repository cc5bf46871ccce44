import Testing

@testable import YAML

@Suite struct HostileTests {
  @Test func `any bytes are read or refused, none traps`() {
    var random = SplitMix(state: 7)
    let alphabet = Array("ab:-[]{}&*!|>'\"%@`#,? \n\t~0\\xü".utf8) + [0, 0xFF, 0xC3]
    var taken = 0
    for _ in 0..<20_000 {
      let count = Int(random.next() % 40)
      let bytes = (0..<count).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] }
      if Document(parsing: bytes).faults.isEmpty { taken += 1 }
    }
    // The alphabet must reach both answers, else this would show nothing.
    #expect(taken > 500 && taken < 19_500)
  }

  @Test(arguments: ["[", "{", "- ", "? ", "a: [", "\"a", "'a", "&a [", "!<", "a: *a\n", "a:\n a:\n", "- - - "])
  func `repetition of what opens something is refused, and soon`(piece: String) {
    let text = String(repeating: piece, count: 250_000 / piece.utf8.count)
    let time = ContinuousClock().measure { #expect(!Document(parsing: text).faults.isEmpty) }
    #expect(time < .seconds(5))
  }
}

/// A generator whose numbers are the same each time (Steele, Lea and Flood, 2014).
struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
