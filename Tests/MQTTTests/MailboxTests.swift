import Testing

@testable import MQTT

@Suite struct MailboxTests {
  private func tokens(_ events: [Client.Event]?) -> [UInt64]? {
    events?.compactMap { event in if case .published(let token, _) = event { token } else { nil } }
  }

  private func filled() -> Mailbox {
    let mailbox = Mailbox()
    for token in 1...5 as ClosedRange<UInt64> { mailbox.put(.published(token: token, .failed), wakes: false) }
    return mailbox
  }

  @Test func `gives in order what waits, as much as is wanted, and the end after it`() async {
    let mailbox = filled()
    #expect(tokens(await mailbox.next(atMost: 1)) == [1])
    #expect(tokens(await mailbox.next(atMost: 2)) == [2, 3])
    mailbox.finish()
    mailbox.put(.published(token: 6, .failed))
    #expect(tokens(await mailbox.next(atMost: .max)) == [4, 5])
    #expect(await mailbox.next(atMost: .max) == nil)
  }

  @Test func `drops what may be dropped when so many bytes wait, and takes it again once they are taken`() async {
    let mailbox = Mailbox()
    func put(_ bytes: Int, isDroppable: Bool) {
      let message = IncomingMessage(
        topic: "t", payload: Array(repeating: 0, count: bytes), qos: .atMostOnce, isRetained: false,
        properties: MessageProperties(), confirmation: nil)
      mailbox.put(.message(message), isDroppable: isDroppable, wakes: false)
    }
    for _ in 0..<10 { put(Mailbox.room / 4, isDroppable: true) }
    put(1, isDroppable: false)
    #expect(await mailbox.next(atMost: 1)?.count == 1)
    put(2, isDroppable: true)
    put(3, isDroppable: true)
    let sizes = await mailbox.next(atMost: .max)?.map { event in
      if case .message(let message) = event { message.payload.count } else { -1 }
    }
    #expect(sizes == [Mailbox.room / 4, Mailbox.room / 4, Mailbox.room / 4, 1, 2, 3])
    for _ in 0..<10 { put(Mailbox.room / 4, isDroppable: true) }
    #expect(await mailbox.next(atMost: .max)?.count == 4)
  }

  @Test func `wakes who waits with all that came, once it is told to`() async {
    let mailbox = Mailbox()
    let bunches = Task {
      var all: [[UInt64]] = []
      while let bunch = tokens(await mailbox.next(atMost: .max)) { all.append(bunch) }
      return all
    }
    for token in 1...1000 as ClosedRange<UInt64> {
      mailbox.put(.published(token: token, .failed), wakes: false)
      if token % 10 == 0 { mailbox.flush() }
    }
    mailbox.finish()
    #expect(await bunches.value.flatMap(\.self) == Array(1...1000))
  }
}
