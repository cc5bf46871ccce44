import SeededRandom
import Testing

@testable import Journal

@Suite struct HistoryTests {
  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
  }

  private func journal(_ records: [Journal.Record]) async throws -> Journal {
    let (journal, _) = try await Journal.open(scratch.configuration(), epoch: "e")
    try await journal.commit(.init(records: records))
    return journal
  }

  @Test(
    arguments: [
      // One record of 10 steps from 1000 to 2000 ms; the borders of the question; the steps in it.
      (0, 3000, 10), (1000, 2000, 10), (0, 1000, 0), (2000, 3000, 0), (0, 1001, 0), (1000, 1500, 5), (1500, 2000, 5),
      (0, 1550, 5), (1550, 9000, 5), (1999, 2000, 1), (1200, 1300, 1), (2500, 1000, 0),
    ] as [(Int64, Int64, Int)])
  func `counts the share of a record that lies within`(from: Int64, to: Int64, steps: Int) async throws {
    let journal = try await journal([walk(1, at: 1000, length: 1000, steps: 10)])
    let sums = try await journal.history(from: morning + from, to: morning + to)
    #expect(sums.map(\.steps) == (from < to ? [steps] : []))
    let share = Double(max(0, min(to, 2000) - max(from, 1000))) / 1000
    for sum in sums {
      #expect(abs(sum.distance - 7.5 * share) < 1e-9 && abs(sum.activeDuration - share) < 1e-9)
    }
  }

  @Test func `sums what it can measure, and events not at all`() async throws {
    var up = walk(1, at: 0)
    up.floorsAscended = 2
    let journal = try await journal([up, event(2, at: 500), walk(3, at: 1000, steps: 3), walk(4, at: 2 * hour)])
    let sums = try await journal.history(from: morning, to: morning + 2 * hour, bucket: hour)
    var first = Journal.Sum(start: morning, end: morning + hour)
    (first.steps, first.distance, first.activeDuration, first.floorsAscended) = (5, 3.75, 2, 2)
    #expect(sums == [first, Journal.Sum(start: morning + hour, end: morning + 2 * hour)])
  }

  @Test func `gives the events of an interval, acknowledged or not, and no steps`() async throws {
    let journal = try await journal([
      event(1, at: 0, "before"), walk(2, at: 500), event(3, at: 1000, "first"), event(4, at: 1500, "second"),
      event(5, at: 2000, "after"),
    ])
    try await journal.commit(.init(acknowledged: [1...4]))
    let events = try await journal.events(from: morning + 1000, to: morning + 2000)
    #expect(events == [event(3, at: 1000, "first"), event(4, at: 1500, "second")])
  }

  @Test func `a record without length counts once, where it lies`() async throws {
    let journal = try await journal([walk(1, at: 1000, length: 0, steps: 4), walk(2, at: 2000, length: -50, steps: 3)])
    let sums = try await journal.history(from: morning, to: morning + 3000, bucket: 1000)
    #expect(sums.map(\.steps) == [0, 4, 3])
  }

  @Test(arguments: UInt64(1)...20) func `buckets add up to the whole`(seed: UInt64) async throws {
    var generator = SplitMix(seed: seed)
    var records: [Journal.Record] = []
    var time: Int64 = 0
    for seq in Int64(1)...200 {
      let length = Int64.random(in: 0...20_000, using: &generator)
      records.append(walk(seq, at: time, length: length, steps: Int.random(in: 0...40, using: &generator)))
      time += length + Int64.random(in: 0...5_000, using: &generator)
    }
    let journal = try await journal(records)
    let whole = records.reduce(0) { $0 + $1.steps }
    let bucket = Int64.random(in: 700...60_000, using: &generator)
    let sums = try await journal.history(from: morning, to: morning + time + 1, bucket: bucket)
    #expect(sums.reduce(0) { $0 + $1.steps } == whole)
    #expect(abs(sums.reduce(0) { $0 + $1.distance } - 0.75 * Double(whole)) < 1e-6)
    #expect(zip(sums, sums.dropFirst()).allSatisfy { $0.end == $1.start && $0.end - $0.start == bucket })
    let middle = morning + Int64.random(in: 1..<time, using: &generator)
    let halves = try await journal.history(edges: [morning, middle, morning + time + 1])
    #expect(halves.map(\.steps).reduce(0, +) == whole)
  }

  @Test func `dates what was taken before the clock was set, once it is`() async throws {
    var early = walk(1, at: 5000, isSynchronized: false)
    (early.wallStart, early.wallEnd) = (12_000, 13_000)
    let journal = try await journal([early])
    #expect(try await journal.history(from: morning, to: morning + hour).map(\.steps) == [0])
    #expect(try await journal.outbox() == [early])
    try await journal.commit(.init(clock: .init(boot: "boot-1", wallOffset: morning - 1_000_000)))
    #expect(try await journal.history(from: morning, to: morning + hour).map(\.steps) == [2])
    #expect(try await journal.history(from: 0, to: morning).map(\.steps) == [0])
    #expect(try await journal.outbox() == [walk(1, at: 5000)])
  }

  @Test func `a step of the clock within a record moves no steps`() async throws {
    var jumped = walk(1, at: 0, length: 1000, steps: 4)
    jumped.wallEnd = morning + hour
    let journal = try await journal([jumped])
    let sums = try await journal.history(from: morning, to: morning + 2 * hour, bucket: 1000)
    #expect(sums.first?.steps == 4)
  }

  @Test(arguments: [0, -5, 1]) func `refuses buckets without sense or number`(bucket: Int64) async throws {
    let journal = try await journal([walk(1, at: 0)])
    let error = await #expect(throws: JournalError.self) {
      try await journal.history(from: morning, to: morning + 10_001, bucket: bucket)
    }
    #expect(error?.code == .refused)
    #expect(try await journal.history(from: .min, to: .max).map(\.steps) == [2])
  }
}
