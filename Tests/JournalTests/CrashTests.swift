import SeededRandom
import Testing

@testable import Journal

/// What a machine finds that lost its power: copies of the files, taken between commits or torn.
@Suite struct CrashTests {
  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
  }

  private func copy(to name: String, log change: ([UInt8]) -> [UInt8]?) throws -> Journal.Configuration {
    let configuration = scratch.configuration(name)
    let directory = Directory(path: configuration.directory)
    try directory.make()
    try Scratch.write(Scratch.read(scratch.database), to: directory.database)
    if let log = change(try Scratch.read(scratch.log)) { try Scratch.write(log, to: directory.log) }
    return configuration
  }

  /// Checks that a journal is that of the first so many commits of `commit`, and gives their number.
  private func commits(in journal: Journal, _ recovery: Journal.Recovery) async throws -> Int64 {
    let count = recovery.lastSequence / 2
    #expect(recovery.state == (count == 0 ? nil : [UInt8](repeating: UInt8(count), count: 900)))
    let expected = (0..<count).flatMap { number in records(of: number) }
    #expect(try await journal.outbox() == expected)
    #expect(try await journal.totalSteps() == 2 * Int(count))
    if count > 0 { #expect(try await journal.answer(toCommand: "c\(count - 1)") == [UInt8(count)]) }
    return count
  }

  private func records(of number: Int64) -> [Journal.Record] {
    [walk(2 * number + 1, at: number * 1000), event(2 * number + 2, at: number * 1000)]
  }

  private func commit(_ number: Int64, to journal: Journal) async throws {
    try await journal.commit(
      .init(
        records: records(of: number),
        state: [UInt8](repeating: UInt8(number + 1), count: 900),
        answers: [.init(id: "c\(number)", content: [UInt8(number + 1)])]))
  }

  @Test(arguments: UInt64(1)...8)
  func `whatever was committed is there after a cut at any byte of the log`(seed: UInt64) async throws {
    var generator = SplitMix(seed: seed)
    let (journal, _) = try await Journal.open(scratch.configuration(), epoch: "e")
    var sizes: [Int] = [try Scratch.read(scratch.log).count]
    for number in 0..<Int64(30) {
      try await commit(number, to: journal)
      sizes.append(try Scratch.read(scratch.log).count)
    }
    for attempt in 0..<12 {
      let size = Int.random(in: 32...(sizes.last ?? 0), using: &generator)
      let kind = Int.random(in: 0...3, using: &generator)
      let byte = UInt8.random(in: 1...255, using: &generator)
      let configuration = try copy(to: "copy-\(attempt)") { log in
        switch kind {
        case 0: Array(log[..<size])
        case 1: Array(log[..<size]) + [UInt8](repeating: 0, count: log.count - size)
        // The disk wrote in another order: a sector has not come before others that have.
        case 2: log.enumerated().map { (size..<size + 512).contains($0.offset) ? $0.element ^ byte : $0.element }
        default: log.enumerated().map { $0.offset < size ? $0.element : $0.element ^ byte }
        }
      }
      let (copied, recovery) = try await Journal.open(configuration, epoch: "other")
      #expect(recovery.epoch == "e")
      // A commit ends where the log ended after it; the first ones lie where the log of the opening was.
      let count = try await commits(in: copied, recovery)
      if size >= sizes[0] {
        #expect(Int(count) == sizes.dropFirst().filter { $0 <= size }.count)
      } else {
        #expect(Int(count) <= sizes.dropFirst().filter { $0 <= sizes[0] }.count)
      }
      #expect(recovery.nextSequence > recovery.lastSequence + 60)
      await copied.close()
    }
  }

  @Test func `copies taken while a writer commits are whole`() async throws {
    let (journal, _) = try await Journal.open(scratch.configuration(), epoch: "e")
    try await commit(0, to: journal)
    async let writer: Void = {
      for number in Int64(1)..<120 { try await commit(number, to: journal) }
    }()
    var last: Int64 = 0
    for attempt in 0..<20 {
      let configuration = try copy(to: "copy-\(attempt)") { $0 }
      let (copied, recovery) = try await Journal.open(configuration, epoch: "other")
      #expect(recovery.origin == .interrupted)
      let count = try await commits(in: copied, recovery)
      #expect(count >= last && count > 0)
      last = count
      await copied.close()
    }
    try await writer
    #expect(try await journal.outbox().count == 240)
  }

  @Test func `a lost log is noticed, and no number is used twice`() async throws {
    let (journal, _) = try await Journal.open(scratch.configuration(), epoch: "e")
    for number in 0..<Int64(30) { try await commit(number, to: journal) }
    let configuration = try copy(to: "copy") { _ in nil }
    let (copied, recovery) = try await Journal.open(configuration, epoch: "other")
    #expect(recovery.origin == .tailLost)
    #expect(recovery.nextSequence > 60)
    await copied.close()
  }

  @Test func `the log stays within its bound, and what was written back is kept`() async throws {
    let (journal, _) = try await Journal.open(scratch.configuration(), epoch: "e")
    for number in 0..<Int64(120) {
      let records = (1...100).map { walk(100 * number + $0, at: (100 * number + $0) * 1000) }
      try await journal.commit(.init(records: records, state: [UInt8](repeating: UInt8(number), count: 900)))
      if number % 10 == 9 {
        #expect(Int64(try Scratch.read(scratch.log).count) < Schema.logBytes + 100_000)
      }
    }
    #expect(try Scratch.read(scratch.database).count > 500_000)
    let (copied, recovery) = try await Journal.open(try copy(to: "copy") { $0 }, epoch: "other")
    #expect(recovery.lastSequence == 12_000)
    #expect(try await copied.totalSteps() == 24_000)
    await copied.close()
  }
}
