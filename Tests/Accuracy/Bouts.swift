import Motion

/// When steps, pauses and resumptions are told, and how they are dated, against recordings whose every step is known.
struct Bouts {
  let manifest: Manifest
  let folds: Folds

  /// A time without steps of at least this length separates bouts, in s.
  private static let rest = 3.0
  /// The fewest steps of a bout that is looked at.
  private static let fewest = 8

  private var stepErrors: [Double] = []
  private var firstCounts: [Double] = []
  private var firstDates: [Double] = []
  private var pauses: [Double] = []
  private var pauseDates: [Double] = []
  private var resumes: [Double] = []
  private var resumeDates: [Double] = []
  private var missed = 0
  private var extra = 0
  private var trueSteps = 0
  private var falsePauses = 0
  private var walked = 0.0
  private var unheard = 0

  init(manifest: Manifest, folds: Folds) {
    self.manifest = manifest
    self.folds = folds
  }

  mutating func run() throws {
    for row in manifest.rows {
      guard let steps = manifest.steps(row), steps.count >= Bouts.fewest else { continue }
      let samples = try Files.samples("\(manifest.root)/\(row.path)")
      let heard = Heard(samples, folds.pedometer(for: row.path))
      compare(heard, steps)
    }
    report()
  }

  private mutating func compare(_ heard: Heard, _ steps: [Double]) {
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
    for bout in Bouts.bouts(steps) { compare(heard, bout) }
    for (event, _) in heard.events where event.kind == .pause {
      let goesOn = { (from: Double, to: Double) in steps.contains { $0 > event.time + from && $0 < event.time + to } }
      if goesOn(0.3, 1.3), goesOn(1.3, 2.3), goesOn(2.3, 3.5) { falsePauses += 1 }
    }
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

  private mutating func compare(_ heard: Heard, _ bout: Bout) {
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
    if let (event, at) = heard.events.first(where: { $0.0.kind == .pause && ending.contains($0.0.time) }) {
      pauses.append(at - bout.last)
      pauseDates.append(event.time - bout.last)
    }
  }

  private func report() {
    print("steps: \(trueSteps) true, \(missed) missed, \(extra) too many; bouts not heard at all: \(unheard)")
    row("step dated against the truth, s", stepErrors)
    row("  the same, without sign", stepErrors.map { abs($0) })
    row("first count after the first step, s", firstCounts)
    row("  first step dated against it", firstDates)
    row("resume told after the first step, s", resumes)
    row("  dated against it", resumeDates)
    row("pause told after the last step, s", pauses)
    row("  dated against it", pauseDates)
    print("false pauses an hour of walking: \(rounded(Double(falsePauses) / walked * 3600))")
  }

  private func row(_ name: String, _ values: [Double]) {
    guard !values.isEmpty else { return }
    let sorted = values.sorted()
    func quantile(_ share: Double) -> Double {
      rounded(sorted[min(Int(share * Double(sorted.count)), sorted.count - 1)])
    }
    let tail = String(repeating: " ", count: max(0, 38 - name.count))
    print("\(name)\(tail) p10 \(quantile(0.1))  median \(quantile(0.5))  p90 \(quantile(0.9))  n \(values.count)")
  }

  private func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
