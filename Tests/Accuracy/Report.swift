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

  /// Prints the figures; returns whether all that must be reached is reached.
  func run() throws -> Bool {
    guard FileManager.default.fileExists(atPath: "\(root)/manifest.csv") else {
      print("no recordings in \(root): synthetic walkers only, which say little about accuracy")
      return synthetic()
    }
    let manifest = try Manifest(root: root)
    var score = Score()
    for row in manifest.rows {
      let heard = Heard(try Files.samples("\(root)/\(row.path)"), folds.pedometer(for: row.path))
      score.add(row, heard, manifest.labels(row))
    }
    var good = true
    func check(_ name: String, _ value: Double?, most: Double, _ peers: String = "") {
      guard let value else { return }
      let verdict = value <= most ? "" : "  MISSED"
      good = good && value <= most
      print("\(padded(name, 42))\(padded(rounded(value), 9))must ≤ \(padded(rounded(most), 8))\(peers)\(verdict)")
    }
    var means: [Double] = []
    for placement in Report.placements {
      guard let mean = score.mean(placement.group) else { continue }
      means.append(mean)
      check("\(placement.name), error %", mean, most: placement.quiet, "best peer \(placement.best)")
    }
    check("mean of \(means.count) placements, %", means.reduce(0, +) / Double(means.count), most: 3, "best peer 4.9")
    let quiet = ["hands", "still", "vehicle"]
    check("false steps/h, hands + still + vehicle", score.rate(quiet), most: 20, "quietest peer 117")
    for (kind, most) in [("vehicle", 4.0), ("still", 0), ("cycling", 900)] {
      check("  \(kind)", score.rate([kind]), most: most)
    }
    for kind in ["hands", "exercise"] { print("  \(padded(kind, 40))\(rounded(score.rate([kind]) ?? 0))") }
    return activities(score) && good
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
        "\(padded(kind.rawValue, 14))recall \(padded(percent(quality.recall), 8))precision \(padded(percent(quality.precision), 8))F1 \(percent(quality.f1))\(verdict)"
      )
    }
    let mean = sum / max(count, 1)
    print("macro F1 \(percent(mean)) of \(Int(count)) activities, must ≥ 82\(mean >= 0.82 ? "" : "  MISSED")")
    for confidence in MotionActivity.Confidence.allCases {
      guard let (said, right) = score.confidences[confidence], said > 0 else { continue }
      print(
        "confidence \(padded(confidence.rawValue, 8))right in \(percent(Double(right) / Double(said))) % of \(said) s")
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
      print("\(padded("\(rounded(cadence)) steps/s", 20))error \(rounded(error)) %\(error <= 3 ? "" : "  MISSED")")
    }
    return good
  }

  private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private func rounded(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }

  private func percent(_ share: Double) -> String { "\((share * 1000).rounded() / 10)" }
}
