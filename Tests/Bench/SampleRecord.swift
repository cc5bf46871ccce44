import Journal
import Motion
import Wire

/// Step records as the agent makes them.
enum SampleRecord {
  private static let now: Int64 = 1_796_000_000_000

  /// The record of a number: a second of walking.
  static func make(_ seq: Int64, endingAt end: Int64 = now) -> Record {
    let total = Int(seq) * 2
    let body = StepsBody(
      sessionSteps: total, todaySteps: total % 10_000, totalSteps: total, distance: 1.43, cadence: 1.85, pace: 0.74,
      activity: .walking)
    return Record(
      seq: seq, kind: .steps, boot: "0f5c2a9e-3f0e-4c6a-9d1e-5b7c1f2a3d4e", monotonicStart: seq * 1000,
      monotonicEnd: seq * 1000 + 1000, wallStart: end - 1000, wallEnd: end, synchronized: true, steps: 2,
      distance: 1.43, activeSeconds: 1.08, body: body.members)
  }
}

extension Journal.Record {
  /// A record of the agent as the journal keeps it.
  init(_ record: Record) {
    self.init(
      seq: record.seq, kind: record.kind == .steps ? .steps : .event, boot: record.boot,
      monotonicStart: record.monotonicStart, monotonicEnd: record.monotonicEnd, wallStart: record.wallStart,
      wallEnd: record.wallEnd, isSynchronized: record.synchronized, steps: record.steps, distance: record.distance,
      activeDuration: record.activeSeconds, replaces: record.replaces, payload: record.body)
  }
}
