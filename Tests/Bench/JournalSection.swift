import BenchCounting
import Glibc
import Host
import Journal

/// What keeping records costs: how many durable commits a second, and what a day writes.
struct JournalSection {
  private static let commits = 1000
  /// The steps of the day that is simulated.
  private static let steps = 8000

  func run() async throws {
    let place = try Place()
    let bare = try bareWrites(place)
    let (single, singleCost) = try await appends(place, "single", records: 1)
    let (grouped, _) = try await appends(place, "grouped", records: 50)
    table(
      "Journal (\(place.fileSystem))",
      ["", "commits/s", "records/s", "of bare", "bytes/record", "forced writes/commit"],
      [
        ["1 KiB written and fdatasync, bare", figure(bare), "-", "1.00", "-", "1.00"],
        [
          "commit of 1 record, state and acknowledgement", figure(single), figure(single), figure(single / bare, 2),
          figure(Double(singleCost.written) / Double(Self.commits)),
          figure(Double(singleCost.synchronisations) / Double(Self.commits), 2),
        ],
        ["commit of 50 records", figure(grouped), figure(grouped * 50), figure(grouped / bare, 2), "-", "-"],
      ], notes: ["a record of some 400 bytes is on the disk when a commit returns"])
    try await day(place)
  }

  private func bareWrites(_ place: Place) throws -> Double {
    let path = "\(place.path)/bare"
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Unmeasured("\(path) cannot be written") }
    defer { close(descriptor) }
    // The file has its length beforehand, as a write-ahead log that is used again has.
    let block = [UInt8](repeating: 1, count: 1024)
    let count = Self.commits
    for index in 0..<count { _ = unsafe pwrite(descriptor, block, block.count, index * block.count) }
    fdatasync(descriptor)
    let seconds = time {
      for index in 0..<count {
        _ = unsafe pwrite(descriptor, block, block.count, index * block.count)
        fdatasync(descriptor)
      }
    }
    return Double(count) / seconds
  }

  private func appends(_ place: Place, _ name: String, records: Int) async throws -> (Double, Cost) {
    let (journal, _) = try await Journal.open(.init(directory: "\(place.path)/\(name)"), epoch: "bench")
    let state = [UInt8](repeating: 65, count: 600)
    let commits = Self.commits / (records > 1 ? 10 : 1)
    var seq: Int64 = 0
    let cost = Cost.now()
    let start = ContinuousClock.now
    for _ in 0..<commits {
      let new = (1...records).map { Journal.Record(SampleRecord.make(seq + Int64($0))) }
      try await journal.commit(
        .init(records: new, state: state, acknowledged: seq > 0 ? [max(1, seq - Int64(records) + 1)...seq] : []))
      seq += Int64(records)
    }
    let seconds = start.duration(to: .now) / .seconds(1)
    let spent = Cost.now() - cost
    await journal.close()
    return (Double(commits) / seconds, spent)
  }

  private func day(_ place: Place) async throws {
    let usual = try await cost(ofDayIn: place, updateInterval: 1000)
    let sparing = try await cost(ofDayIn: place, updateInterval: 5000)
    func row(_ name: String, _ aim: String, _ value: (Expense) -> String) -> [String] {
      [name, value(usual), value(sparing), aim]
    }
    table(
      "A day of \(figure(usual.day.steps)) steps (engine, machine and journal in virtual time; a broker that "
        + "acknowledges at once)",
      ["", "an update a second", "one in 5 s", "aim"],
      [
        row("records", "-") { figure($0.day.records) },
        row("commits", "-") { figure($0.day.commits) },
        row("forced writes (fsync, fdatasync)", "2,000") { figure($0.cost.synchronisations) },
        row("MB handed to the kernel", "5.0") { figure(Double($0.cost.written) / 1e6, 1) },
        row("MB to the disk, in whole pages of the kernel", "-") { figure(Double($0.cost.toDisk) / 1e6, 1) },
        row("s that the day took here", "-") { figure($0.seconds, 1) },
      ],
      notes: [
        "bytes: wchar and write_bytes of /proc/self/io; forced writes: counted in this program's own fsync and fdatasync"
      ])
  }

  /// A day, and what it cost.
  private struct Expense {
    var day: Day
    var cost: Cost
    var seconds: Double
  }

  private func cost(ofDayIn place: Place, updateInterval: Int64) async throws -> Expense {
    var day = try await Day(place, steps: Self.steps, updateInterval: updateInterval)
    let cost = Cost.now()
    let start = ContinuousClock.now
    try await day.run()
    let seconds = start.duration(to: .now) / .seconds(1)
    return Expense(day: day, cost: Cost.now() - cost, seconds: seconds)
  }
}

/// What this process has written, and forced to the disk.
struct Cost {
  var written = 0
  var toDisk = 0
  var synchronisations = 0

  static func now() -> Cost {
    let text = String(decoding: (try? SmallFile.read("/proc/self/io", limit: 4096).bytes) ?? [], as: UTF8.self)
    var cost = Cost()
    cost.synchronisations = counting_forced_writes()
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      switch words.first {
      case "wchar:": cost.written = words.last.flatMap { Int($0) } ?? 0
      case "write_bytes:": cost.toDisk = words.last.flatMap { Int($0) } ?? 0
      default: break
      }
    }
    return cost
  }

  static func - (one: Cost, other: Cost) -> Cost {
    Cost(
      written: one.written - other.written, toDisk: one.toDisk - other.toDisk,
      synchronisations: one.synchronisations - other.synchronisations)
  }
}
