import FoundationEssentials
import Motion

/// Our figures beside the peers', and whether the targets are met.
struct Report {
  let root: String
  let folds: Folds

  /// A placement: its group, its name, and the errors of the peers in %: the best one, and the best that is quiet as well.
  private static let placements: [(group: String, name: String, best: Double, quiet: Double)] = [
    ("bangle/wrist", "watch, 12.5 Hz", 12.9, 18.9), ("oxford/hand", "phone in hand", 1.1, 9.0),
    ("oxford/other", "arm, bag, neck", 1.3, 1.3), ("oxford/pocket", "pocket", 1.2, 1.2),
    ("pebble/wrist", "watch, 25 Hz", 7.0, 7.0), ("voisard_gait/other", "lower back", 4.6, 8.1),
    ("weallwalk/other", "strap", 1.7, 6.3),
  ]

  /// False steps an hour: what on, and the most there may be.
  private static let falseSteps: [(name: String, kinds: [String], most: Double)] = [
    ("false steps/h, hands + still + vehicle", ["hands", "still", "vehicle"], 20), ("  vehicle", ["vehicle"], 4),
    ("  still", ["still"], 0), ("  cycling", ["cycling"], 900),
  ]

  /// Prints the figures; returns whether all that must be reached is reached.
  func run() throws -> Bool {
    guard FileManager.default.fileExists(atPath: "\(root)/manifest.csv") else {
      print("no recordings in \(root): synthetic walkers only, which say little about accuracy")
      return synthetic()
    }
    let manifest = try Manifest(root: root)
    var score = Score()
    var bouts = Bouts()
    var delays = ActivityDelays()
    for row in manifest.rows {
      let samples = try Files.samples("\(root)/\(row.path)")
      let heard = Heard(samples, folds.pedometer(for: row.path))
      let labels = manifest.labels(row)
      score.add(row, heard, labels)
      if let steps = manifest.steps(row) { bouts.add(heard, samples, steps, uncovered: Bouts.uncovered(labels)) }
      if !row.isDoubtful {
        delays.add(heard, labels.isEmpty ? [(0, row.duration, row.activity)] : labels)
      }
    }
    let parts = [counts(score), activities(score), delays.report(), bouts.report()]
    return !parts.contains(false)
  }

  private func counts(_ score: Score) -> Bool {
    var good: [Bool] = []
    var means: [Double] = []
    for placement in Report.placements {
      guard let mean = score.mean(placement.group) else { continue }
      means.append(mean)
      good.append(
        Table.line("\(placement.name), error %", mean, most: placement.quiet, "best peer \(placement.best)"))
    }
    let mean = means.reduce(0, +) / Double(max(means.count, 1))
    good.append(Table.line("mean of \(means.count) placements, %", mean, most: 3, "best peer 4.9"))
    for (name, kinds, most) in Report.falseSteps {
      guard let rate = score.rate(kinds) else { continue }
      let peers = kinds.count > 1 ? "quietest peer 117" : ""
      good.append(Table.line(name, rate, most: most, peers))
    }
    for kind in ["hands", "exercise"] { print("  \(Table.padded(kind, 40))\(Table.rounded(score.rate([kind]) ?? 0))") }
    return !good.contains(false)
  }

  private func activities(_ score: Score) -> Bool {
    var sum = 0.0
    var count = 0.0
    var good = true
    for (kind, least) in [
      (MotionActivity.Kind.stationary, 0.0), (.walking, 0.93), (.running, 0.93), (.cycling, 0.7), (.automotive, 0),
    ] {
      guard let quality = score.quality(kind) else { continue }
      sum += quality.f1
      count += 1
      let verdict = quality.recall >= least ? "" : "  MISSED (recall ≥ \(least))"
      good = good && quality.recall >= least
      print(
        "\(Table.padded(kind.rawValue, 14))recall \(Table.padded(percent(quality.recall), 8))precision \(Table.padded(percent(quality.precision), 8))F1 \(percent(quality.f1))\(verdict)"
      )
    }
    let mean = sum / max(count, 1)
    print("macro F1 \(percent(mean)) of \(Int(count)) activities, must ≥ 82\(mean >= 0.82 ? "" : "  MISSED")")
    for confidence in MotionActivity.Confidence.allCases {
      guard let (said, right) = score.confidences[confidence], said > 0 else { continue }
      print(
        "confidence \(Table.padded(confidence.rawValue, 8))right in \(percent(Double(right) / Double(said))) % of \(said) s"
      )
    }
    return good && mean >= 0.82
  }

  private func synthetic() -> Bool {
    var good = true
    for cadence in [1.4, 1.8, 2.2, 2.7] {
      let samples = Bench.signal(strength: cadence > 2.5 ? 0.7 : 0.2, cadence: cadence, seconds: 120)
      let counted = Heard(samples, Pedometer()).steps.count
      let error = abs(Double(counted) / (120 * cadence) - 1) * 100
      good = good && error <= 3
      print(
        "\(Table.padded("\(Table.rounded(cadence)) steps/s", 20))error \(Table.rounded(error)) %\(error <= 3 ? "" : "  MISSED")"
      )
    }
    return good
  }

  private func percent(_ share: Double) -> String { "\((share * 1000).rounded() / 10)" }
}
