import Motion

/// When steps, pauses and resumptions are told, and how they are dated, against recordings whose every step is known.
struct Bouts {
  /// A time without steps of at least this length separates bouts, in s.
  private static let rest = 3.0
  /// The fewest steps of a bout that is looked at.
  private static let fewest = 8

  private var stepErrors: [Double] = []
  private var firstCounts: [Double] = []
  private var firstDates: [Double] = []
  private var pauses: [Double] = []
  private var pausesInAllGaps: [Double] = []
  private var untold = 0
  private var pauseDates: [Double] = []
  private var resumes: [Double] = []
  private var resumeDates: [Double] = []
  private var missed = 0
  private var extra = 0
  private var trueSteps = 0
  private var falsePauses = 0
  private var falsePausesOfTheFiles = 0
  private var walked = 0.0
  private var unheard = 0

  /// Takes what was heard of a recording whose true steps are known, and where the truth may lack steps (start and end in s).
  mutating func add(
    _ heard: Heard, _ samples: [AccelerometerSample], _ steps: [Double], uncovered: [(start: Double, end: Double)]
  ) {
    guard steps.count >= Bouts.fewest else { return }
    compare(heard, steps, uncovered)
    falsePausesOfTheFiles += Bouts.falsePauses(heard, steps)
    falsePauses += Bouts.falsePauses(heard, Bouts.felt(steps, samples))
  }

  /// Returns the true steps at which the device moves by a twentieth or more of what it usually does at a step.
  ///
  /// In four recordings of walks between two stands the truth's clock is late by one to four seconds in the end (voisard_gait
  /// v1-6, v3-6, v5-6, v8-6): three to five of its steps are those of a back that has come to rest.
  private static func felt(_ steps: [Double], _ samples: [AccelerometerSample]) -> [Double] {
    var first = 0
    let movements = steps.map { step in
      while first < samples.count, samples[first].time < step - 0.3 { first += 1 }
      let lengths = samples[first...].prefix { $0.time <= step + 0.3 }.map { sample in
        Double(sample.x * sample.x + sample.y * sample.y + sample.z * sample.z).squareRoot()
      }
      let mean = lengths.reduce(0, +) / Double(max(lengths.count, 1))
      return (lengths.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(max(lengths.count, 1))).squareRoot()
    }
    let usual = movements.sorted()[movements.count / 2]
    return zip(steps, movements).filter { $0.1 >= 0.05 * usual }.map(\.0)
  }

  private static func falsePauses(_ heard: Heard, _ steps: [Double]) -> Int {
    heard.events.count { event, _ in
      let goesOn = { (from: Double, to: Double) in steps.contains { $0 > event.time + from && $0 < event.time + to } }
      return event.kind == .pause && goesOn(0.3, 1.3) && goesOn(1.3, 2.3) && goesOn(2.3, 3.5)
    }
  }

  /// Returns when the truth may lack steps.
  ///
  /// The instruments of WeAllWalk noted none in turns and events (stops, doors, obstacles): its walkers seem to stop for
  /// three to eight seconds in each, and walk on in most of them.
  static func uncovered(_ labels: [(start: Double, end: Double, label: String)]) -> [(start: Double, end: Double)] {
    labels.filter { $0.label == "walking_turn" || $0.label.hasPrefix("feature:") }.map { ($0.start, $0.end) }
  }

  private mutating func compare(_ heard: Heard, _ steps: [Double], _ uncovered: [(start: Double, end: Double)]) {
    trueSteps += steps.count
    let times = heard.steps.map(\.step.time)
    var used = Set<Int>()
    for step in steps {
      let near = times.indices.filter { abs(times[$0] - step) < 0.4 && !used.contains($0) }
      guard let nearest = near.min(by: { abs(times[$0] - step) < abs(times[$1] - step) }) else {
        missed += 1
        continue
      }
      used.insert(nearest)
      stepErrors.append(times[nearest] - step)
    }
    extra += times.count - used.count
    for bout in Bouts.bouts(steps) { compare(heard, bout, uncovered) }
  }

  /// A bout, with how long there was rest before and after it, in s.
  private struct Bout {
    var first: Double
    var last: Double
    var count: Int
    var before: Double
    var after: Double
  }

  private static func bouts(_ steps: [Double]) -> [Bout] {
    var bouts: [Bout] = []
    for step in steps {
      if let last = bouts.last?.last, step - last < rest {
        bouts[bouts.count - 1].last = step
        bouts[bouts.count - 1].count += 1
      } else {
        let before = bouts.last.map { step - $0.last } ?? .infinity
        if !bouts.isEmpty { bouts[bouts.count - 1].after = before }
        bouts.append(Bout(first: step, last: step, count: 1, before: before, after: .infinity))
      }
    }
    return bouts
  }

  private mutating func compare(_ heard: Heard, _ bout: Bout, _ uncovered: [(start: Double, end: Double)]) {
    guard bout.count >= Bouts.fewest else { return }
    walked += bout.last - bout.first
    let inside = heard.steps.filter { $0.step.time > bout.first - 1.5 && $0.step.time < bout.last + 1.5 }
    guard let first = inside.first else {
      unheard += 1
      return
    }
    let isStart = bout.first - heard.start > 2
    if isStart {
      firstCounts.append(first.at - bout.first)
      firstDates.append(first.step.time - bout.first)
    }
    for (event, at) in heard.events {
      if event.kind == .resume, isStart, abs(event.time - bout.first) < 2 {
        resumes.append(at - bout.first)
        resumeDates.append(event.time - bout.first)
      }
    }
    let rest = min(bout.after, heard.end - bout.last)
    guard rest > Bouts.rest else { return }
    let ending = bout.last - 2..<bout.last + rest
    let told = heard.events.first { $0.0.kind == .pause && ending.contains($0.0.time) }
    if let told { pausesInAllGaps.append(told.at - bout.last) }
    if uncovered.contains(where: { $0.start < bout.last + rest && $0.end > bout.last }) { return }
    guard let (event, at) = told else {
      untold += 1
      return
    }
    pauses.append(at - bout.last)
    pauseDates.append(event.time - bout.last)
  }

  /// Prints the figures beside what they must be.
  ///
  /// - Returns: whether all that must be reached is reached.
  func report() -> Bool {
    guard trueSteps > 0 else { return true }
    print("steps: \(trueSteps) true, \(missed) missed, \(extra) too many; bouts not heard at all: \(unheard)")
    let good = [
      Table.row("a step's time against the truth, s", stepErrors.map { abs($0) }, median: 0.15),
      Table.row("first count after the first step, s", firstCounts, median: 3.5),
      Table.row("  first step dated against it", firstDates),
      Table.row("resume told after the first step, s", resumes, median: 3),
      Table.row("  dated against it", resumeDates),
      Table.row("pause told after the last step, s", pauses, median: 1.5, high: 2.5),
      Table.row("  dated against it", pauseDates),
      Table.row("  told, in gaps that the truth does not cover too", pausesInAllGaps),
      Table.line("false pauses an hour of walking", Double(falsePauses) / walked * 3600, most: 4),
    ]
    print(
      "  \(Table.rounded(Double(falsePausesOfTheFiles) / walked * 3600)) with those of bodies at rest where the truth's clock slips"
    )
    print("  of \(pauses.count + untold) pauses \(untold) were not told at all")
    return !good.contains(false)
  }
}
