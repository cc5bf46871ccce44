import Motion

/// What the engine made of a recording beside what is true of it, drawn in rows of time.
struct Picture {
  let analysis: Analysis
  let truth: Truth
  let envelope: Envelope
  let verdict: Verdict
  /// How long a row is, in s.
  let row: Double
  /// The range of magnitudes that is shown, in g.
  let magnitudes: ClosedRange<Double>

  static let width = 1200.0
  /// What is left free beside the rows, for names and figures, in px.
  static let margin = (left: 104.0, right: 94.0)
  /// The most rows that are drawn without being asked for: with them the picture fits a sheet of paper.
  static let rows = 10
  /// The most rows that can be asked for.
  static let limit = 2000

  /// Lays out a picture; a row is `row` seconds long, or as long as it must be to fit a sheet of paper.
  init(of analysis: Analysis, _ envelope: Envelope, truth: Truth, row: Double? = nil) throws(PlotError) {
    guard analysis.samples > 0, let range = envelope.range else {
      throw PlotError("\(analysis.path): has no samples, so there is nothing to draw")
    }
    guard analysis.duration < 366 * 86_400 else {
      throw PlotError("\(analysis.path): lasts more than a year; are its times in seconds?")
    }
    self.row = row ?? Self.row(for: analysis.duration)
    guard analysis.duration <= self.row * Double(Self.limit) else {
      throw PlotError(
        "\(analysis.path): would take more than \(Self.limit) rows; give --row \(Self.row(for: analysis.duration).plain)"
      )
    }
    self.analysis = analysis
    self.envelope = envelope
    self.truth = truth
    verdict = Verdict(
      counted: analysis.steps.map(\.time), activities: analysis.activities, truth: truth, end: analysis.last)
    magnitudes = min(0.5, Self.half(range.lowerBound, .down))...max(1.5, Self.half(range.upperBound, .up))
  }

  /// How well the engine did, in a line.
  var summary: String {
    var parts: [String] = []
    if let steps = truth.steps {
      let error = Double(analysis.steps.count - steps.count) / Double(max(1, steps.count)) * 100
      parts.append("counted \(analysis.steps.count), true \(steps.count): \(signed(error)) %")
      parts.append("\(verdict.missed.count) missed, \(verdict.stray.count) false")
    } else {
      parts.append("counted \(analysis.steps.count) steps")
      if !truth.stretches.isEmpty { parts.append("\(verdict.stray.count) of them where nobody walked") }
    }
    if verdict.judged > 0 {
      let share = verdict.mistaken / verdict.judged * 100
      parts.append("activity wrong for \(Text.duration(verdict.mistaken)) (\(Text.number(share, 1)) %)")
    }
    if truth.steps == nil, truth.stretches.isEmpty {
      let stem = FileName(FileName(analysis.path).last).stem
      parts.append("no truth beside it (\(stem).steps, \(stem).labels)")
    }
    return parts.joined(separator: "; ")
  }

  /// The whole picture as a file's content.
  func svg() -> String {
    let layout = Row.Layout(hasSteps: truth.steps != nil, hasStretches: !truth.stretches.isEmpty)
    let count = max(1, Int((analysis.duration / row).rounded(.up)))
    let legend = Legend(hasSteps: truth.steps != nil, hasStretches: !truth.stretches.isEmpty)
    let top = 78 + legend.height
    let height = top + Double(count) * layout.pitch + 8
    let name = FileName(analysis.path).last
    var svg = SVG(width: Self.width, height: height, title: "\(name): \(summary)", style: Ink.style)
    svg.rectangle("page", x: 0, y: 0, width: Self.width, height: height)
    svg.words("title", x: 16, y: 28, name)
    svg.words("summary", x: 16, y: 49, summary)
    svg.words("quiet", x: Self.width - 16, y: 28, anchor: "end", facts)
    svg.group("legend", x: 16, y: 66) { legend.draw(in: &$0) }
    for index in 0..<count {
      let row = Row(start: Double(index) * row, picture: self, layout: layout)
      svg.group("row", x: Self.margin.left, y: top + Double(index) * layout.pitch) { row.draw(in: &$0) }
    }
    return svg.finished()
  }

  private var facts: String {
    let rate = analysis.duration > 0 ? Double(analysis.samples - 1) / analysis.duration : 0
    return "\(Text.duration(analysis.duration)), \(Text.number(rate, 1)) samples/s, "
      + "\(Text.number(analysis.distance, 0)) m on foot; times from the first sample on"
  }

  private func signed(_ value: Double) -> String {
    value > 0 ? "+" + Text.number(value, 1) : Text.number(value, 1)
  }

  /// The shortest round length, at least half a minute, with which a recording takes at most `rows`.
  static func row(for duration: Double) -> Double {
    let lengths: [Double] = [
      30, 60, 120, 180, 300, 600, 900, 1200, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 604_800, 2_678_400,
    ]
    return lengths.first { duration <= $0 * Double(rows) } ?? 3_888_000
  }

  private static func half(_ value: Float, _ rule: FloatingPointRoundingRule) -> Double {
    (Double(value) * 2).rounded(rule) / 2
  }
}
