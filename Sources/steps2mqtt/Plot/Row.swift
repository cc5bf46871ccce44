import Motion

/// One row of the picture: a stretch of time, its lanes one below the other.
struct Row {
  let start: Double
  let end: Double
  let picture: Picture
  let layout: Layout
  /// Places seconds from the first sample on.
  let time: Scale

  /// Where the lanes lie, in px from the row's top.
  struct Layout {
    let hasSteps: Bool
    let hasStretches: Bool

    static let width = Picture.width - Picture.margin.left - Picture.margin.right

    var magnitude: (top: Double, bottom: Double) { hasSteps ? (14, 78) : (0, 64) }
    var counted: (top: Double, bottom: Double) { (magnitude.bottom + 2, magnitude.bottom + 13) }
    var cadence: (top: Double, bottom: Double) { (counted.bottom + 4, counted.bottom + 34) }
    var activity: (top: Double, bottom: Double) { (cadence.bottom + 5, cadence.bottom + 19) }
    var truth: (top: Double, bottom: Double) { (activity.bottom + 8, activity.bottom + 22) }
    var mistakes: (top: Double, bottom: Double) { (activity.bottom + 2, activity.bottom + 6) }
    var bottom: Double { hasStretches ? truth.bottom : activity.bottom }
    /// The way from one row's top to the next one's.
    var pitch: Double { bottom + 36 }
  }

  init(start: Double, picture: Picture, layout: Layout) {
    self.start = start
    self.picture = picture
    self.layout = layout
    end = start + picture.row
    time = Scale(start...start + picture.row, from: 0, to: Layout.width)
  }

  func draw(in svg: inout SVG) {
    drawGround(in: &svg)
    drawMagnitude(in: &svg)
    drawSteps(in: &svg)
    drawCadence(in: &svg)
    drawActivities(in: &svg)
    drawAxis(in: &svg)
    drawFigures(in: &svg)
  }

  /// The place of a time on the recording's clock.
  func place(_ instant: Double) -> Double { time(instant - picture.analysis.first) }

  /// Those of some times on the recording's clock that lie in this row.
  func here(_ times: [Double]) -> [Double] {
    times.filter { (start..<end).contains($0 - picture.analysis.first) }
  }

  /// The part of a stretch on the recording's clock that lies in this row, in px.
  func part(_ from: Double, _ to: Double) -> (x: Double, width: Double)? {
    let first = picture.analysis.first
    guard from - first < end, to - first > start, to > from else { return nil }
    return (place(from), place(to) - place(from))
  }

  private func drawAxis(in svg: inout SVG) {
    let bottom = layout.bottom
    var marks = SVG.Path()
    for tick in time.ticks(atMost: 12, among: Scale.times) {
      marks.tick(time(tick), from: bottom + 2, to: bottom + 6)
      svg.words("word", x: time(tick), y: bottom + 17, anchor: "middle", Self.clock(tick))
    }
    svg.path("frame", marks)
    let lanes = [
      (layout.hasSteps ? 10.0 : nil, "true"), (layout.counted.bottom - 1, "counted"),
      (layout.activity.bottom - 3, "activity"), (layout.hasStretches ? layout.truth.bottom - 3 : nil, "truth"),
    ]
    for case (let y?, let name) in lanes { svg.words("quiet", x: 10 - Picture.margin.left, y: y, name) }
  }

  /// What this row holds, in figures at its right end.
  private func drawFigures(in svg: inout SVG) {
    let counted = here(picture.analysis.steps.map(\.time)).count
    var lines = [("word", "\(counted) steps")]
    if let steps = picture.truth.steps { lines = [("word", "\(counted) of \(here(steps).count)")] }
    let missed = here(picture.verdict.missed).count
    let stray = here(picture.verdict.stray).count
    if missed > 0 { lines.append(("error", "\(missed) missed")) }
    if stray > 0 { lines.append(("error", "\(stray) false")) }
    for (index, line) in lines.enumerated() {
      svg.words(line.0, x: Layout.width + 8, y: layout.magnitude.top + 12 + Double(index) * 15, line.1)
    }
  }

  /// Minutes and seconds, with hours where there are any.
  static func clock(_ seconds: Double) -> String { String(Text.clock(seconds).dropLast(2)) }
}
