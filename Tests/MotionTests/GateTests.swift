import Testing

@testable import Motion

struct GateTests {
  @Test func `opens after enough evidence and closes after more against it`() {
    var gate = Gate()
    var opened: Int32?
    for look in Int32(1)...20 where gate.take(9, at: look, soonAfterStep: false) == .opened { opened = look }
    #expect(opened == 3)  // from −4, 4 a look, until above 7.5
    #expect(gate.evidence == Gate.cap)
    var closed: Int32?
    for look in Int32(21)...40 where gate.take(-9, at: look, soonAfterStep: false) == .closed { closed = look }
    #expect(closed == 25)  // from 18, 4 a look, until below 1
    #expect(gate.certainUntil == 20)
  }

  @Test func `opens sooner after a step`() {
    var gate = Gate()
    var looks = 0
    while gate.take(9, at: Int32(looks), soonAfterStep: true) != .opened { looks += 1 }
    #expect(looks == 1)
  }

  @Test func `one doubtful look does not end a bout`() {
    var gate = Gate()
    for look in Int32(0)..<10 { _ = gate.take(3, at: look, soonAfterStep: false) }
    let doubtful = gate.take(-9, at: 10, soonAfterStep: false)
    #expect(doubtful == .none)
    #expect(gate.isOpen)
    #expect(gate.certainUntil == 9)
    _ = gate.take(9, at: 11, soonAfterStep: false)
    #expect(gate.certainUntil == 11)
  }
}
