import Dispatch
import Testing

@testable import Sensors

struct MailboxTests {
  private func numbered(_ number: Int) -> SensorEvent { .samples([sample(Double(number)), sample(Double(number))]) }

  @Test func `hands over what was put in, in order, and ends`() async {
    let mailbox = Mailbox()
    for number in 0..<3 { #expect(mailbox.put(numbered(number)) == 0) }
    #expect(await mailbox.take() == (0..<3).map(numbered))
    _ = mailbox.put(numbered(3))
    mailbox.finish()
    #expect(await mailbox.take() == [numbered(3)])
    #expect(await mailbox.take() == nil)
  }

  @Test func `drops the oldest for a consumer that is late, and says how many samples`() async {
    let mailbox = Mailbox()
    let dropped = (0..<520).map { mailbox.put(numbered($0)) }.reduce(0, +)
    #expect(dropped == 16)
    #expect(await mailbox.take()?.first == numbered(8))
  }

  @Test func `drops nothing but samples for a consumer that is late`() async {
    let mailbox = Mailbox()
    let loss = SensorEvent.lost(SensorError(.notFound, "gone"))
    _ = mailbox.put(loss)
    for number in 0..<2_000 { _ = mailbox.put(numbered(number)) }
    let events = await mailbox.take() ?? []
    #expect(events.first == loss)
    #expect(events.count == 512)
    #expect(events.last == numbered(1_999))
  }

  @Test func `wakes a consumer that waits on another thread`() async {
    let mailbox = Mailbox()
    DispatchQueue(label: "test").async {
      for number in 0..<1_000 { _ = mailbox.put(.warning("\(number)")) }
      mailbox.finish()
    }
    var last: SensorEvent?
    while let events = await mailbox.take() { last = events.last }
    #expect(last == .warning("999"))
  }
}

struct StopTests {
  @Test func `ends a wait, and every later one`() {
    let stop = Stop()
    #expect(stop.wait(0))
    DispatchQueue(label: "test").async { stop.stop() }
    #expect(!stop.wait(60))
    #expect(!stop.wait(60))
    #expect(stop.isStopped)
  }

  @Test func `interrupts a blocking call, also one that begins too late`() async {
    let stop = Stop()
    await confirmation(expectedCount: 2) { interrupted in
      stop.onStop { interrupted() }
      stop.stop()
      stop.onStop { interrupted() }
      stop.onStop(nil)
    }
  }
}
