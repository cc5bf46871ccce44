import Motion

/// Where the engine and the truth differ.
struct Verdict: Equatable {
  /// A stretch in which the engine named another activity than the truth, in seconds on the recording's clock.
  struct Mistake: Equatable {
    var start: Double
    var end: Double
  }

  /// The times of true steps that were not counted, in s.
  private(set) var missed: [Double] = []
  /// The times of counted steps that were none, in s.
  private(set) var stray: [Double] = []
  /// Where the activity is wrong, in order.
  private(set) var mistakes: [Mistake] = []
  /// For how long the activity could be judged, in s.
  private(set) var judged = 0.0

  /// For how long the activity is wrong, in s.
  var mistaken: Double { mistakes.reduce(0) { $0 + $1.end - $1.start } }

  /// How far a counted step may lie from the true step it stands for, in s: less than a slow step, more than the
  /// time from a foot's fall to the jolt at the wrist.
  static let tolerance = 0.4
  /// How long the engine may take to notice a change of activity, in s: as the targets say for walking and standing.
  static let allowance = 5.0
  /// What is left out at either end of a stretch without steps, in s: labels are set by hand.
  static let margin = 2.0

  /// Compares what the engine said, times of steps and stretches of activity, with the truth.
  ///
  /// Beyond the end of the recording, in s, no activity is judged.
  init(counted: [Double], activities: [Analysis.Stretch], truth: Truth, end: Double = .infinity) {
    let counted = counted.sorted()
    if let steps = truth.steps {
      pair(counted, with: steps)
    } else {
      stray = counted.filter { time in
        truth.stretches.contains { stretch in
          guard let kind = stretch.kind, kind != .walking, kind != .running else { return false }
          return stretch.start + Self.margin <= time && time < stretch.end - Self.margin
        }
      }
    }
    judge(activities, against: truth.stretches, end: end)
  }

  /// Gives each true step the earliest counted one that is near enough and not yet given away.
  ///
  /// That leaves as few of both without a partner as any pairing could.
  private mutating func pair(_ counted: [Double], with steps: [Double]) {
    var next = counted.startIndex
    for step in steps {
      while next < counted.endIndex, counted[next] < step - Self.tolerance {
        stray.append(counted[next])
        next += 1
      }
      if next < counted.endIndex, counted[next] <= step + Self.tolerance {
        next += 1
      } else {
        missed.append(step)
      }
    }
    stray += counted[next...]
  }

  private mutating func judge(_ said: [Analysis.Stretch], against stretches: [Truth.Stretch], end: Double) {
    var previous: MotionActivity.Kind?
    for stretch in stretches.sorted(by: { $0.start < $1.start }) {
      guard let kind = stretch.kind else { continue }
      let start = stretch.start + (kind == previous ? 0 : Self.allowance)
      previous = kind
      let end = min(stretch.end, end)
      guard end > start else { continue }
      judged += end - start
      var time = start
      for claim in said where claim.end > start && claim.start < end {
        if claim.start > time { mistake(from: time, to: claim.start) }
        if claim.activity.kind != kind { mistake(from: max(time, claim.start), to: min(claim.end, end)) }
        time = max(time, min(claim.end, end))
      }
      if time < end { mistake(from: time, to: end) }
    }
  }

  private mutating func mistake(from start: Double, to end: Double) {
    guard end > start else { return }
    if let last = mistakes.indices.last, mistakes[last].end == start {
      mistakes[last].end = end
    } else {
      mistakes.append(Mistake(start: start, end: end))
    }
  }
}
