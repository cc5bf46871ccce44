import Motion

/// The lower lanes: the ribbon of activities, the true one, and where they differ.
extension Row {
  func drawActivities(in svg: inout SVG) {
    for stretch in picture.analysis.activities {
      let lane = layout.activity
      let height = (lane.bottom - lane.top) * Ink.height(of: stretch.activity.confidence)
      let kind = stretch.activity.kind
      guard let part = part(stretch.start, stretch.end) else { continue }
      svg.rectangle(kind.rawValue, x: part.x, y: lane.bottom - height, width: part.width, height: height)
      write(kind.rawValue, on: kind, part, bottom: lane.bottom, in: &svg)
    }
    // Names that say nothing about the activity, such as notes, must not hide those that do.
    let stretches = picture.truth.stretches
    for stretch in stretches.filter({ $0.kind == nil }) + stretches.filter({ $0.kind != nil }) {
      guard let part = part(stretch.start, stretch.end) else { continue }
      let lane = layout.truth
      let name = stretch.kind?.rawValue ?? "unnamed"
      svg.rectangle(name, x: part.x, y: lane.top, width: part.width, height: lane.bottom - lane.top)
      write(stretch.label, on: stretch.kind, part, bottom: lane.bottom, in: &svg)
    }
    for mistake in picture.verdict.mistakes {
      guard let part = part(mistake.start, mistake.end) else { continue }
      let lane = layout.mistakes
      svg.rectangle("mistake", x: part.x, y: lane.top, width: part.width, height: lane.bottom - lane.top)
    }
  }

  /// Writes a name into its stretch, or its first letter, or nothing, as the room allows.
  private func write(
    _ name: String, on kind: MotionActivity.Kind?, _ part: (x: Double, width: Double), bottom: Double,
    in svg: inout SVG
  ) {
    let words = part.width > Double(name.count) * 6.6 + 6 ? name : part.width > 10 ? String(name.prefix(1)) : ""
    guard !words.isEmpty else { return }
    svg.words(Ink.words(on: kind), x: part.x + part.width / 2, y: bottom - 3, anchor: "middle", words)
  }
}
