import SeededRandom
import Testing

@testable import YAML

@Suite struct HostileTests {
  @Test func `any bytes are read or refused, none traps`() {
    var random = SplitMix(seed: 7)
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
