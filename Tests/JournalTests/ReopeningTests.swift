import Glibc
import Testing

@testable import Journal

@Suite struct ReopeningTests {
  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
  }

  @Test func `begins with the epoch it is given, and keeps that one`() async throws {
    let (first, fresh) = try await Journal.open(scratch.configuration("new"), epoch: "e1")
    #expect(fresh == .init(origin: .fresh, epoch: "e1", state: nil, lastSequence: 0, nextSequence: 1))
    await first.close()
    let (_, second) = try await Journal.open(scratch.configuration("new"), epoch: "e2")
    #expect(second.epoch == "e1")
    #expect(second.origin == .closed)
  }

  @Test(arguments: [true, false]) func `keeps what it took across a reopening`(closes: Bool) async throws {
    let records = [walk(1, at: 0), event(2, at: 900), walk(5, at: 1000, steps: 3, boot: "boot-2")]
    do {
      let (journal, _) = try await Journal.open(scratch.configuration(), epoch: "e")
      try await journal.commit(
        .init(
          records: records, state: Array("state".utf8), answers: [.init(id: "c1", content: [1, 2])],
          clock: .init(boot: "boot-2", wallOffset: 5)))
      try await journal.commit(.init(acknowledged: [1...1]))
      if closes { await journal.close() }
    }
    let (journal, recovery) = try await Journal.open(scratch.configuration(), epoch: "other")
    #expect(recovery.origin == .closed)
    #expect(recovery.state == Array("state".utf8))
    #expect(recovery.lastSequence == 5)
    #expect(try await journal.outbox() == Array(records[1...]))
    #expect(await journal.unacknowledgedCount == 2)
    #expect(try await journal.unacknowledged(after: 0, upTo: .max, limit: 1) == [records[1]])
    #expect(try await journal.answer(toCommand: "c1") == [1, 2])
    #expect(try await journal.answer(toCommand: "c2") == nil)
    #expect(try await journal.history(from: morning, to: morning + hour).map(\.steps) == [5])
  }

  @Test func `stores every field of a record`() async throws {
    var full = walk(7, at: -1, steps: 3, payload: [])
    full.floorsAscended = 2
    full.floorsDescended = 0
    full.replaces = 3...6
    full.isSynchronized = false
    let (journal, _) = try await Journal.open(scratch.configuration(), epoch: "e")
    try await journal.commit(.init(records: [full]))
    #expect(try await journal.outbox() == [full])
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `a measure that is not a number loses no steps`(measure: Double) async throws {
    let (journal, _) = try await Journal.open(scratch.configuration(), epoch: "e")
    var record = walk(1, at: 0)
    (record.distance, record.activeDuration) = (measure, measure)
    try await journal.commit(.init(records: [record]))
    (record.distance, record.activeDuration) = (0, 0)
    #expect(try await journal.outbox() == [record])
  }

  @Test func `keeps the first answer to a command, and the last 256 answers`() async throws {
    let (journal, _) = try await Journal.open(scratch.configuration(), epoch: "e")
    for number in 1...260 {
      try await journal.commit(.init(answers: [.init(id: "c\(number)", content: [UInt8(number % 251)])]))
    }
    try await journal.commit(.init(answers: [.init(id: "c100", content: [0])]))
    #expect(try await journal.answer(toCommand: "c4") == nil)
    #expect(try await journal.answer(toCommand: "c5") == [5])
    #expect(try await journal.answer(toCommand: "c100") == [100])
  }

  @Test func `refuses a number that does not ascend, and changes nothing`() async throws {
    let (journal, _) = try await Journal.open(scratch.configuration(), epoch: "e")
    try await journal.commit(.init(records: [walk(3, at: 0)], state: [1]))
    for records in [[walk(3, at: 9)], [walk(4, at: 9), walk(4, at: 9)], [walk(2, at: 9)]] {
      let error = await #expect(throws: JournalError.self) {
        try await journal.commit(.init(records: records, state: [2]))
      }
      #expect(error?.code == .refused)
    }
    await journal.close()
    let (again, recovery) = try await Journal.open(scratch.configuration(), epoch: "e")
    #expect(recovery.state == [1])
    #expect(recovery.nextSequence == 4)
    #expect(try await again.outbox() == [walk(3, at: 0)])
  }

  @Test func `never takes a future record for acknowledged`() async throws {
    let (journal, _) = try await Journal.open(scratch.configuration(), epoch: "e")
    try await journal.commit(.init(acknowledged: [1...9]))
    try await journal.commit(.init(records: [walk(1, at: 0), walk(2, at: 0)]))
    try await journal.commit(.init(acknowledged: [2...9]))
    try await journal.commit(.init(records: [walk(3, at: 0)]))
    #expect(try await journal.outbox().map(\.seq) == [1, 3])
    #expect(await journal.unacknowledgedCount == 2)
  }

  @Test func `gives the outbox in pages, without what overtook`() async throws {
    let (journal, _) = try await Journal.open(scratch.configuration(), epoch: "e")
    try await journal.commit(.init(records: (1...100).map { walk($0 * 2, at: $0 * 1000) }))
    try await journal.commit(.init(acknowledged: [10...20, 150...150, 151...151]))
    let expected = (1...100).map { Int64($0 * 2) }.filter { !(10...20).contains($0) && $0 != 150 }
    var seen: [Int64] = []
    while true {
      let page = try await journal.unacknowledged(after: seen.last ?? 0, upTo: 200, limit: 7)
      if page.isEmpty { break }
      seen += page.map(\.seq)
    }
    #expect(seen == expected)
    #expect(await journal.unacknowledgedCount == expected.count)
    #expect(try await journal.unacknowledged(after: 4, upTo: 21, limit: 9).map(\.seq) == [6, 8])
  }

  @Test func `says that it is closed`() async throws {
    let (journal, _) = try await Journal.open(scratch.configuration(), epoch: "e")
    await journal.close()
    let error = await #expect(throws: JournalError.self) { try await journal.commit(.init(state: [1])) }
    #expect(error?.code == .closed)
    #expect(scratch.names() == ["steps2mqtt.sqlite"])
  }

  @Test func `lets no second process in`() async throws {
    let (journal, _) = try await Journal.open(scratch.configuration(), epoch: "e")
    let error = await #expect(throws: JournalError.self) {
      _ = try await Journal.open(scratch.configuration(), epoch: "e")
    }
    #expect(error?.code == .inUse)
    await journal.close()
  }

  @Test(arguments: [true, false])
  func `notices that its file was taken away, and puts back all that it held`(leavesLog: Bool) async throws {
    let (journal, _) = try await Journal.open(scratch.configuration(), epoch: "e")
    try await journal.commit(.init(records: [walk(1, at: 0), event(2, at: 900)], state: Array("state".utf8)))
    try await journal.commit(.init(records: [walk(3, at: 1000)]))
    try #require(unsafe unlink(scratch.database) == 0)
    if !leavesLog { try #require(unsafe unlink(scratch.log) == 0) }
    let error = await #expect(throws: JournalError.self) {
      try await journal.commit(.init(records: [walk(4, at: 2000)]))
    }
    #expect(error?.code == .moved)
    try await journal.putBack()
    await journal.close()

    let (again, recovery) = try await Journal.open(scratch.configuration(), epoch: "other")
    #expect(recovery.origin == .closed)
    #expect(recovery.epoch == "e")
    #expect(recovery.state == Array("state".utf8))
    #expect(try await again.outbox() == [walk(1, at: 0), event(2, at: 900), walk(3, at: 1000)])
    var status = stat()
    #expect(unsafe stat(scratch.database, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test func `leaves alone what took the place of its file`() async throws {
    let (other, _) = try await Journal.open(scratch.configuration("other"), epoch: "other")
    try await other.commit(.init(records: [walk(7, at: 0)]))
    await other.close()
    let (journal, _) = try await Journal.open(scratch.configuration(), epoch: "e")
    try await journal.commit(.init(records: [walk(1, at: 0)]))
    try #require(unsafe rename("\(scratch.path)/other/steps2mqtt.sqlite", scratch.database) == 0)
    let error = await #expect(throws: JournalError.self) { try await journal.commit(.init(records: [walk(2, at: 0)])) }
    #expect(error?.code == .moved)
    try await journal.putBack()
    await journal.close()
    let (again, recovery) = try await Journal.open(scratch.configuration(), epoch: "third")
    #expect(recovery.epoch == "other")
    #expect(try await again.outbox() == [walk(7, at: 0)])
  }
}
