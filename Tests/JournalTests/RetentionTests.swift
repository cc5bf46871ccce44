import Testing

@testable import Journal

@Suite struct RetentionTests {
  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
  }

  private func open(maximumBytes: Int64 = 64 << 20, floor: Int64 = 0) async throws -> Journal {
    try await Journal.open(
      scratch.configuration(maximumBytes: maximumBytes, freeDiskFloor: floor), epoch: "e"
    ).journal
  }

  /// Carries a trim out as the agent does, and gives the number after the last used.
  private func commit(_ trim: Journal.Trim, to journal: Journal, next: Int64) async throws -> Int64 {
    var records = trim.merged
    for position in records.indices {
      records[position].seq = next + Int64(position)
      records[position].payload = Array("merged".utf8)
    }
    let named = event(next + Int64(records.count), at: 0, "trimmed \(trim.bounds): \(trim.stepsDropped) dropped")
    try await journal.commit(.init(records: records + [named], trim: trim))
    return named.seq + 1
  }

  @Test func `forgets what is acknowledged and older than a week`() async throws {
    let journal = try await open()
    try await journal.commit(.init(records: (1...1400).map { walk($0, at: $0 * day / 100) }))
    try await journal.commit(.init(acknowledged: [1...1, 3...1300]))
    #expect(try await journal.tidy(at: nil) == nil)
    #expect(try await journal.totalSteps() == 2800)
    #expect(try await journal.tidy(at: morning + 14 * day) == nil)
    // Of 14 days the first 7 are gone, but for the record that was not sent.
    #expect(try await journal.totalSteps() == 2 * (701 + 1))
    #expect(try await journal.outbox().map(\.seq) == [2] + Array(1301...1400))
    #expect(await journal.unacknowledgedCount == 101)
  }

  @Test func `a device that restarts each hour for months keeps the boots of a week`() async throws {
    let journal = try await open()
    for start in Int64(1)...1000 {
      let boot = "boot-\(start)"
      try await journal.commit(.init(clock: .init(boot: boot, wallOffset: morning - 1_000_000)))
      try await journal.commit(
        .init(records: [walk(start, at: start * hour, boot: boot)], acknowledged: [start...start]))
      if start % 24 == 0 { _ = try await journal.tidy(at: morning + start * hour) }
    }
    let boots = await journal.contents.boots
    #expect((168...300).contains(boots.count), "of 1000, \(boots.count)")
    #expect(try await journal.totalSteps() == 2 * 185)
    #expect(boots.values.allSatisfy { $0.wallOffset != nil })
    await journal.close()
    #expect(await (try open()).contents.boots == boots)
  }

  @Test func `merges what is unsent for a month into hours that stand for exactly what they replace`() async throws {
    let journal = try await open()
    var records = (1...20).map { walk($0, at: $0 * 60_000) }
    records[4] = event(5, at: 300_000)
    for seq in Int64(21)...24 { records.append(walk(seq, at: hour + seq * 1000, boot: seq < 23 ? "boot-1" : "boot-2")) }
    try await journal.commit(.init(records: records))
    try await journal.commit(.init(acknowledged: [10...11]))
    let trim = try #require(try await journal.tidy(at: morning + 31 * day, sparing: [13...13]))
    #expect(trim.reason == .age && trim.kind == .steps)
    #expect(trim.merged.map(\.replaces) == [1...9, 14...20, 21...22, 23...24])
    #expect(trim.merged.map(\.steps) == [16, 14, 4, 4])
    #expect(trim.ranges == [1...4, 6...9, 14...24])
    #expect(trim.records == 19 && trim.steps == 38 && trim.stepsDropped == 0 && trim.bounds == 1...24)
    let first = try #require(trim.merged.first)
    #expect(first.wallStart == records[0].wallStart && first.wallEnd == records[8].wallEnd)
    #expect(first.distance == 12 && first.activeDuration == 8 && first.boot == "boot-1")
    let before = try await journal.totalSteps()
    _ = try await commit(trim, to: journal, next: 100)
    #expect(try await journal.totalSteps() == before)
    #expect(try await journal.outbox().map(\.seq) == [5, 12, 13, 100, 101, 102, 103, 104])
    #expect(await journal.unacknowledgedCount == 8)
    #expect(await journal.contents.acknowledged.intervals == [1...4, 6...11, 14...24])
    #expect(try await journal.tidy(at: morning + 31 * day, sparing: [13...13]) == nil)
    await journal.close()
    let (again, recovery) = try await Journal.open(scratch.configuration(), epoch: "e")
    #expect(recovery.lastSequence == 104)
    #expect(try await again.outbox().suffix(5).dropLast().map(\.replaces) == trim.merged.map(\.replaces))
    #expect(try await again.outbox().count == 8)
  }

  @Test func `drops what is unsent for two months, events after steps`() async throws {
    let journal = try await open()
    try await journal.commit(.init(records: [walk(1, at: 0), event(2, at: 1000), walk(3, at: 2 * hour, steps: 5)]))
    let now = morning + 61 * day
    let steps = try #require(try await journal.tidy(at: now))
    #expect(steps == .init(reason: .age, kind: .steps, ranges: [1...1, 3...3], records: 2, steps: 7, merged: []))
    _ = try await commit(steps, to: journal, next: 4)
    let events = try #require(try await journal.tidy(at: now))
    #expect(events.kind == .event && events.ranges == [2...4] && events.stepsDropped == 0)
  }

  @Test func `looks for what is too old once an hour, and at once after a jump of the clock`() async throws {
    let journal = try await open()
    try await journal.commit(.init(records: [walk(1, at: 0), walk(2, at: 1000)]))
    let old = morning + 30 * day + 1500
    #expect(try await journal.tidy(at: old - 2000) == nil)
    #expect(try await journal.tidy(at: old) == nil)
    #expect(try await journal.tidy(at: old + hour)?.merged.map(\.steps) == [4])
    #expect(try await journal.tidy(at: old - 2000 - hour) == nil)
    #expect(try await journal.tidy(at: old) != nil)
  }

  @Test func `what was never dated is never too old`() async throws {
    let journal = try await open()
    try await journal.commit(
      .init(records: [walk(1, at: 0, isSynchronized: false), walk(2, at: 9, isSynchronized: false)]))
    #expect(try await journal.tidy(at: morning + 1000 * day) == nil)
    try await journal.commit(.init(clock: .init(boot: "boot-1", wallOffset: morning)))
    #expect(try await journal.tidy(at: morning + 1000 * day)?.merged.map(\.steps) == [4])
  }

  @Test func `stays within its bound for ever, and every step is there or named`() async throws {
    let maximum: Int64 = 512 << 10
    let journal = try await open(maximumBytes: maximum)
    var next: Int64 = 1
    var (counted, dropped, kinds) = (0, 0, Set<String>())
    for minute in Int64(0)..<600 {
      let records = (0..<30).map { walk(next + $0, at: minute * hour / 4 + $0 * 1500, steps: 3) }
      try await journal.commit(.init(records: records + [event(next + 30, at: minute * hour / 4 + hour / 8)]))
      next += 31
      counted += 90
      while let trim = try await journal.tidy(at: nil) {
        kinds.insert("\(trim.kind) \(trim.merged.isEmpty ? "dropped" : "merged")")
        dropped += trim.stepsDropped
        next = try await commit(trim, to: journal, next: next)
      }
      #expect(try await journal.usedBytes() <= maximum / 8 * 7)
    }
    #expect(try await journal.totalSteps() + dropped == counted)
    #expect(kinds.contains("steps merged"))
    #expect(try Scratch.read(scratch.database).count <= maximum)
    let unsent = try await journal.outbox()
    #expect(unsent.count == (await journal.unacknowledgedCount))
    #expect(unsent.reduce(0) { $0 + $1.steps } + dropped == counted)
  }

  @Test func `drops steps before events when nothing can be merged`() async throws {
    let journal = try await open(maximumBytes: 256 << 10)
    var next: Int64 = 1
    var kinds: [Journal.Record.Kind] = []
    for round in Int64(0)..<400 {
      var records = (0..<8).map { event(next + $0, at: round * hour, String(repeating: "e", count: 100)) }
      records.append(walk(next + 8, at: round * hour))
      try await journal.commit(.init(records: records))
      next += 9
      while let trim = try await journal.tidy(at: nil) {
        kinds.append(trim.kind)
        next = try await commit(trim, to: journal, next: next)
      }
    }
    let firstEvents = try #require(kinds.firstIndex(of: .event))
    #expect(firstEvents > 0 && kinds[..<firstEvents].allSatisfy { $0 == .steps })
  }

  @Test func `makes room from what is acknowledged before it touches what is not`() async throws {
    let journal = try await open(maximumBytes: 512 << 10)
    var last: Int64 = 0
    while try await journal.usedBytes() <= (512 << 10) * 7 / 8 {
      try await journal.commit(.init(records: (1...20).map { walk(last + $0, at: (last + $0) * 1000) }))
      last += 20
    }
    try await journal.commit(.init(acknowledged: [1...2000]))
    #expect(try await journal.tidy(at: nil) == nil)
    #expect(try await journal.outbox().map(\.seq) == Array(2001...last))
    #expect(try await journal.usedBytes() <= (512 << 10) * 7 / 8)
  }

  @Test func `does not grow when the disk has no more than its floor`() async throws {
    let journal = try await open(floor: .max)
    _ = try await journal.tidy(at: nil)
    var error: JournalError?
    for first in stride(from: Int64(1), to: 20_000, by: 100) where error == nil {
      do throws(JournalError) {
        try await journal.commit(.init(records: (first..<first + 100).map { walk($0, at: $0 * 1000) }))
      } catch let failure {
        error = failure
      }
    }
    #expect(error?.code == .full)
    #expect(try await journal.tidy(at: nil)?.merged.isEmpty == false)
  }

  @Test func `refuses a trim that no longer fits`() async throws {
    let journal = try await open()
    try await journal.commit(.init(records: (1...10).map { walk($0, at: $0 * 1000) }, state: [1]))
    let trim = try #require(try await journal.tidy(at: morning + 31 * day))
    let unmerged = await #expect(throws: JournalError.self) { try await journal.commit(.init(trim: trim)) }
    #expect(unmerged?.code == .refused)
    try await journal.commit(.init(acknowledged: [4...4]))
    let stale = await #expect(throws: JournalError.self) { _ = try await commit(trim, to: journal, next: 11) }
    #expect(stale?.code == .staleTrim)
    #expect(try await journal.totalSteps() == 20)
    #expect(await journal.unacknowledgedCount == 9)
  }
}
