import Journal

/// 30 November 2026, 08:00 UTC, in ms since 1970.
let morning: Int64 = 1_796_025_600_000
let hour: Int64 = 3_600_000
let day: Int64 = 24 * hour

/// A step record that begins `at` ms after the morning, on a machine that had been up for 1000 s then.
func walk(
  _ seq: Int64, at time: Int64, length: Int64 = 1000, steps: Int = 2, boot: String = "boot-1",
  isSynchronized: Bool = true, payload: [UInt8] = Array(#"{"cadence_spm":112.0}"#.utf8)
) -> Journal.Record {
  Journal.Record(
    seq: seq, kind: .steps, boot: boot, monotonicStart: 1_000_000 + time, monotonicEnd: 1_000_000 + time + length,
    wallStart: morning + time, wallEnd: morning + time + length, isSynchronized: isSynchronized, steps: steps,
    distance: 0.75 * Double(steps), activeDuration: Double(length) / 1000, payload: payload)
}

/// An event `at` ms after the morning.
func event(_ seq: Int64, at time: Int64, _ name: String = "pause") -> Journal.Record {
  Journal.Record(
    seq: seq, kind: .event, boot: "boot-1", monotonicStart: 1_000_000 + time, monotonicEnd: 1_000_000 + time,
    wallStart: morning + time, wallEnd: morning + time, isSynchronized: true, payload: Array(name.utf8))
}

extension Journal {
  /// All that is still to be sent.
  func outbox() throws -> [Record] { try unacknowledged(after: 0, upTo: .max, limit: .max) }

  /// All steps that the journal knows of.
  func totalSteps() throws -> Int { try history(from: 0, to: morning + 1000 * day).reduce(0) { $0 + $1.steps } }
}
