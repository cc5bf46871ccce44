internal import Journal
internal import Motion

/// What was walked in the last seven days, on disk.
///
/// A disk that fails takes the history with it and nothing else: steps are counted on.
actor History {
  private static let days = 7
  /// How often what is too old is removed, in ms.
  private static let tidying: Int64 = 3_600_000

  private let directory: String
  private var journal: Journal?
  private var nextSequence: Int64 = 1
  private var tidied: Int64 = 0
  private let boot: String

  init(directory: String?) {
    self.directory = directory ?? Self.standard
    let id = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
    boot = id?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "boot"
  }

  /// The user's own place for what programs remember (XDG Base Directory Specification).
  private static var standard: String {
    let environment = ProcessInfo.processInfo.environment
    let state = environment["XDG_STATE_HOME"] ?? "\(environment["HOME"] ?? "/var/tmp")/.local/state"
    return "\(state)/pedometry"
  }

  /// Writes down what was walked, and activities that began; times are in s since 1970.
  func keep(_ data: Motion.PedometerData?, _ activities: [Motion.MotionActivity]) async {
    var records = activities.map { activity in
      record(.event, from: activity.start, to: activity.start) { $0.payload = activity.bytes }
    }
    if let data {
      records.append(
        record(.steps, from: data.start, to: data.end) { record in
          record.steps = data.steps
          record.distance = data.distance ?? 0
          record.activeDuration = data.activeDuration
          record.floorsAscended = data.floorsAscended
          record.floorsDescended = data.floorsDescended
        })
    }
    if !records.isEmpty { await write(records) }
  }

  /// What was walked in an interval in s since 1970.
  func total(from: Double, to: Double) async -> Result<Motion.PedometerData, MotionError> {
    await asking { journal throws(JournalError) in
      let sums = try await journal.history(from: from.milliseconds, to: to.milliseconds)
      var data = Motion.PedometerData(start: from, end: to)
      guard let sum = sums.first else { return data }
      data.steps = sum.steps
      data.distance = sum.distance
      data.activeDuration = sum.activeDuration
      if sum.distance > 0 { data.averageActivePace = sum.activeDuration / sum.distance }
      data.floorsAscended = sum.floorsAscended
      data.floorsDescended = sum.floorsDescended
      return data
    }
  }

  /// The activities that began in an interval in s since 1970, in order.
  func activities(from: Double, to: Double) async -> Result<[MotionActivity], MotionError> {
    await asking { journal throws(JournalError) in
      try await journal.events(from: from.milliseconds, to: to.milliseconds).compactMap { record in
        Motion.MotionActivity(bytes: record.payload, start: Double(record.wallEnd) / 1000).map {
          MotionActivity($0, startDate: Date(timeIntervalSince1970: $0.start))
        }
      }.sorted { $0.startDate < $1.startDate }
    }
  }

  /// Closes the file.
  func close() async {
    // What could not be written was reported by whoever asked.
    await journal?.close()
    journal = nil
  }

  private func asking<Answer: Sendable>(
    _ ask: (Journal) async throws(JournalError) -> Answer
  ) async -> Result<Answer, MotionError> {
    do throws(JournalError) {
      return .success(try await ask(try await opened()))
    } catch {
      return .failure(MotionError(.history, error.message))
    }
  }

  private func opened() async throws(JournalError) -> Journal {
    if let journal { return journal }
    // Where this fails, opening the journal says why.
    try? FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let configuration = Journal.Configuration(
      directory: directory, maximumBytes: 16 << 20, historyDays: Self.days, unsentDays: Self.days)
    let (journal, recovery) = try await Journal.open(configuration, epoch: UUID().uuidString)
    self.journal = journal
    nextSequence = recovery.nextSequence
    return journal
  }

  private func record(
    _ kind: Journal.Record.Kind, from start: Double, to end: Double, _ fill: (inout Journal.Record) -> Void
  ) -> Journal.Record {
    let (from, to) = (start.milliseconds, max(start.milliseconds, end.milliseconds))
    var record = Journal.Record(
      seq: 0, kind: kind, boot: boot, monotonicStart: from, monotonicEnd: to, wallStart: from, wallEnd: to,
      isSynchronized: true)
    fill(&record)
    return record
  }

  private func write(_ new: [Journal.Record]) async {
    do throws(JournalError) {
      let journal = try await opened()
      var records = new
      for index in records.indices {
        records[index].seq = nextSequence
        nextSequence += 1
      }
      // Nobody is to be sent anything: what is written is done with, and stays for as long as the history does.
      try await journal.commit(Journal.Transaction(records: records, acknowledged: [1...nextSequence]))
      let now = Date().timeIntervalSince1970.milliseconds
      guard now - tidied > Self.tidying else { return }
      tidied = now
      _ = try await journal.tidy(at: now)
    } catch {
      // The history has a hole; whoever asks it is told why, if opening it anew fails too.
      guard error.code != .refused else { return }
      await journal?.close()
      journal = nil
    }
  }
}

extension Double {
  /// Seconds as whole ms.
  fileprivate var milliseconds: Int64 {
    guard isFinite else { return self > 0 ? .max / 2 : .min / 2 }
    return Int64(min(max(self * 1000, -9e15), 9e15).rounded())
  }
}

extension Motion.MotionActivity {
  /// The form in which it is kept: its flags and its confidence.
  fileprivate var bytes: [UInt8] {
    let level: UInt8 =
      switch confidence {
      case .low: 0
      case .medium: 1
      case .high: 2
      }
    return [flags.rawValue, level]
  }

  fileprivate init?(bytes: [UInt8], start: Double) {
    guard bytes.count == 2 else { return nil }
    let confidence: Confidence = bytes[1] == 0 ? .low : bytes[1] == 1 ? .medium : .high
    self.init(Flags(rawValue: bytes[0]), confidence: confidence, start: start)
  }
}
