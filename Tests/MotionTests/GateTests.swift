import Testing

@testable import Motion

struct GateTests {
  @Test func `opens after enough evidence and closes after more against it`() {
    var gate = Gate()
    var opened: Int32?
    for look in Int32(1)...20 where gate.take(9, at: look) == .opened { opened = look }
    #expect(opened == 2)  // from −4, 4 a look, until above 1.5
    #expect(gate.evidence == Gate.cap)
    var closed: Int32?
    for look in Int32(21)...40 where gate.take(-9, at: look) == .closed { closed = look }
    #expect(closed == 27)  // from 22, 4 a look, until below −3
    #expect(gate.certainUntil == 20)
  }

  @Test func `one doubtful look does not end a bout`() {
    var gate = Gate()
    for look in Int32(0)..<10 { _ = gate.take(3, at: look) }
    let doubtful = gate.take(-9, at: 10)
    #expect(doubtful == .none)
    #expect(gate.isOpen)
    #expect(gate.certainUntil == 9)
    _ = gate.take(9, at: 11)
    #expect(gate.certainUntil == 11)
  }
}
