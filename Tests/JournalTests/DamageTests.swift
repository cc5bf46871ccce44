import Glibc
import Testing

@testable import Journal

@Suite struct DamageTests {
  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
  }

  /// Makes a journal of 500 records that is closed in order.
  private func makeJournal() async throws {
    let (journal, _) = try await Journal.open(scratch.configuration(), epoch: "old")
    for first in stride(from: Int64(1), to: 500, by: 50) {
      try await journal.commit(.init(records: (first..<first + 50).map { walk($0, at: $0 * 1000) }, state: [7]))
    }
    await journal.close()
  }

  /// Opens the journal, which must be a new one, and gives where the old one is and why.
  private func openReplaced() async throws -> (path: String, reason: String) {
    let (journal, recovery) = try await Journal.open(scratch.configuration(), epoch: "new")
    try await journal.commit(.init(records: [walk(1, at: 0)]))
    #expect(try await journal.outbox() == [walk(1, at: 0)])
    await journal.close()
    #expect(recovery.epoch == "new" && recovery.state == nil && recovery.nextSequence == 1)
    guard case .replaced(let path, let reason) = recovery.origin else {
      Issue.record("expected a replaced file, found \(recovery.origin)")
      return ("", "")
    }
    return (path, reason)
  }

  enum Damage: CaseIterable {
    case garbage, garbledHeader, zeroedTable, cut, emptyWithLog, anotherProgram, laterVersion, noEpoch, badRanges
    case missingTable, badNumbers
  }

  @Test(arguments: Damage.allCases) func `sets an unusable file aside and begins anew`(damage: Damage) async throws {
    try await makeJournal()
    var bytes = try Scratch.read(scratch.database)
    let page = Int(Schema.pageSize)
    switch damage {
    case .garbage: bytes = (0..<9000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    case .garbledHeader: bytes.replaceSubrange(0..<100, with: repeatElement(0xa5, count: 100))
    case .zeroedTable: bytes.replaceSubrange(20 * page..<24 * page, with: repeatElement(0, count: 4 * page))
    case .cut: bytes.removeLast(30 * page + 100)
    case .emptyWithLog: bytes = []
    case .anotherProgram: try alter("PRAGMA application_id = 1")
    case .laterVersion: try alter("PRAGMA user_version = 99")
    case .noEpoch: try alter("DELETE FROM journal")
    case .badRanges: try alter("INSERT INTO acknowledged VALUES (9, 3)")
    case .badNumbers: try alter("UPDATE records SET seq = 9223372036854775807 WHERE seq = 3")
    case .missingTable: try alter("DROP TABLE acknowledged")
    }
    if damage == .emptyWithLog { try Scratch.write([1, 2, 3], to: scratch.log) }
    if [.garbage, .garbledHeader, .zeroedTable, .cut, .emptyWithLog].contains(damage) {
      try Scratch.write(bytes, to: scratch.database)
    }
    let (path, reason) = try await openReplaced()
    #expect(path == "\(scratch.path)/steps2mqtt.damaged-1.sqlite")
    #expect(!reason.isEmpty)
    let expected = ["steps2mqtt.damaged-1.sqlite", "steps2mqtt.sqlite"]
    #expect(
      scratch.names() == (damage == .emptyWithLog ? [expected[0], expected[0] + "-wal", expected[1]] : expected))
  }

  private func alter(_ sql: String) throws {
    let database = try Database(path: scratch.database)
    try database.execute(sql)
  }

  @Test func `sums without a trap over columns that make no sense`() async throws {
    for column in ["mono_start_ms", "mono_end_ms", "wall_start_ms", "wall_end_ms", "steps", "kind", "boot"] {
      _ = unsafe unlink(scratch.database)
      try await makeJournal()
      try alter("UPDATE records SET \(column) = 9223372036854775807 WHERE seq % 3 = 0")
      try alter("UPDATE records SET \(column) = -9223372036854775807 WHERE seq % 3 = 1")
      let (journal, recovery) = try await Journal.open(scratch.configuration(), epoch: "e")
      #expect(recovery.lastSequence == 500)
      _ = try await journal.history(from: .min, to: .max)
      if let trim = try await journal.tidy(at: morning + 1000 * day), trim.merged.isEmpty {
        try await journal.commit(.init(trim: trim))
      }
      await journal.close()
    }
  }

  @Test func `keeps the latest two files that were set aside`() async throws {
    for number in 1...4 {
      try Scratch.write(Array("garbage \(number)".utf8), to: scratch.database)
      let (path, _) = try await openReplaced()
      #expect(path == "\(scratch.path)/steps2mqtt.damaged-\(number).sqlite")
    }
    #expect(
      scratch.names() == ["steps2mqtt.damaged-3.sqlite", "steps2mqtt.damaged-4.sqlite", "steps2mqtt.sqlite"])
    #expect(try Scratch.read("\(scratch.path)/steps2mqtt.damaged-4.sqlite") == Array("garbage 4".utf8))
  }

  @Test func `an empty file is a new journal`() async throws {
    try Scratch.write([], to: scratch.database)
    let (journal, recovery) = try await Journal.open(scratch.configuration(), epoch: "e")
    #expect(recovery.origin == .fresh)
    await journal.close()
  }

  @Test func `goes on when the process died while making the file`() async throws {
    try alter("PRAGMA page_size = 1024; PRAGMA journal_mode = WAL;")
    let (journal, recovery) = try await Journal.open(scratch.configuration(), epoch: "e")
    #expect(recovery.epoch == "e" && recovery.nextSequence == 1)
    await journal.close()
  }

  @Test func `its files are for their owner only`() async throws {
    let (journal, _) = try await Journal.open(scratch.configuration("private"), epoch: "e")
    for name in ["", "/steps2mqtt.sqlite", "/steps2mqtt.sqlite-wal"] {
      var status = stat()
      #expect(unsafe stat("\(scratch.path)/private\(name)", &status) == 0)
      #expect(status.st_mode & 0o077 == 0, "\(name)")
    }
    await journal.close()
  }
}
