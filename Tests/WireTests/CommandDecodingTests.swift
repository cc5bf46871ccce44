import Testing
import Wire

@Suite struct CommandDecodingTests {
  private func padded(to size: Int) -> [UInt8] {
    Array("stop".utf8) + Array(repeating: UInt8(ascii: " "), count: size - 4)
  }

  @Test func `takes what is just small enough`() throws {
    #expect(try Command.decode(padded(to: 4096))?.verb == .stop)
  }

  /// What is longer was cut when it arrived: how long it was is not known any more.
  @Test func `says of a payload that is too large only what it knows`() {
    let refusal = #expect(throws: CommandRefusal.self) { try Command.decode(padded(to: 4097)) }
    #expect(refusal?.code == .tooLarge)
    #expect(refusal?.reason == "more than 4096 bytes")
  }
}
