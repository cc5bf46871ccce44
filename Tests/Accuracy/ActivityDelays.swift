import Motion

/// How long an activity goes on before it is told, where a recording's labels say when it began.
struct ActivityDelays {
  /// The shortest activity that is looked at, in s.
  private static let shortest = 8.0
  /// The longest gap between two spans of the same activity, in s, that does not end it.
  private static let longestGap = 0.5

  /// How long after the beginning of a recording a walk has to begin, in s, for its beginning to be known.
  private static let settling = 2.0

  private var delays: [MotionActivity.Kind: [Double]] = [:]

  /// Takes what was heard of a recording, and what went on in it from when to when.
  mutating func add(_ heard: Heard, _ spans: [(start: Double, end: Double, label: String)]) {
    var kinds: [(kind: MotionActivity.Kind, start: Double, end: Double)] = []
    for (start, end, label) in spans.sorted(by: { $0.start < $1.start }) {
      guard let kind = ActivityNames.kind(label) else { continue }
      if let last = kinds.last, last.kind == kind, start - last.end < ActivityDelays.longestGap {
        kinds[kinds.count - 1].end = end
      } else {
        kinds.append((kind, max(start, heard.start), end))
      }
    }
    for (kind, start, end) in kinds where kind != .unknown && end - start >= ActivityDelays.shortest {
      // A recording that is called a walk seldom begins with its first step.
      if kind == .walking, start - heard.start < ActivityDelays.settling { continue }
      let before = heard.activities.last { $0.at <= start }?.activity.kind
      let told = heard.activities.first { $0.at > start && $0.at < end && $0.activity.kind == kind }
      guard before != kind else { continue }  // told already, by chance or from the span before
      delays[kind, default: []].append(told.map { $0.at - start } ?? .infinity)
    }
  }

  /// Prints the delays beside what they must be.
  ///
  /// - Returns: whether all that must be reached is reached.
  func report() -> Bool {
    let good = [
      Table.row("walking told after its beginning, s", delays[.walking] ?? [], median: 5),
      Table.row("running", delays[.running] ?? []),
      Table.row("stationary", delays[.stationary] ?? [], median: 5),
      Table.row("automotive", delays[.automotive] ?? [], median: 20),
      Table.row("cycling", delays[.cycling] ?? []),
    ]
    return !good.contains(false)
  }
}
