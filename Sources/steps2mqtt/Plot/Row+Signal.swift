import Motion

/// The upper lanes: the magnitude, the steps, the cadence.
extension Row {
  /// The cadences that are shown, in steps/min.
  private static let cadences = 0.0...240.0

  /// Frames and grid, and a tint where the engine takes the wearer to be on foot.
  func drawGround(in svg: inout SVG) {
    let recorded = time(min(end, max(picture.analysis.duration, start + picture.row / 100)))
    for stretch in onFoot {
      guard let part = part(stretch.start, stretch.end) else { continue }
      for lane in [layout.magnitude, layout.cadence] {
        svg.rectangle("onfoot", x: part.x, y: lane.top, width: part.width, height: lane.bottom - lane.top)
      }
    }
    for lane in [layout.magnitude, layout.cadence] {
      svg.rectangle("frame", x: 0, y: lane.top, width: recorded, height: lane.bottom - lane.top)
    }
    var grid = SVG.Path()
    for tick in magnitude.ticks(atMost: 4, among: Scale.accelerations) {
      grid.move(0, magnitude(tick))
      grid.line(recorded, magnitude(tick))
      svg.words("quiet", x: -8, y: magnitude(tick) + 4, anchor: "end", Text.number(tick, 1) + " g")
    }
    for tick in [100.0, 200] {
      grid.move(0, cadence(tick))
      grid.line(recorded, cadence(tick))
      svg.words("quiet", x: -8, y: cadence(tick) + 4, anchor: "end", Text.number(tick, 0) + "/min")
    }
    svg.path("grid", grid)
  }

  func drawMagnitude(in svg: inout SVG) {
    var path = SVG.Path()
    var last: (time: Double, y: Double)?
    let column = picture.row / Layout.width
    for span in picture.envelope.spans(from: start, to: end, column: column) {
      let (low, high) = (magnitude(Double(span.low)), magnitude(Double(span.high)))
      // The end that is nearer to where the pen is comes first.
      let (near, far) = abs(low - (last?.y ?? low)) <= abs(high - (last?.y ?? low)) ? (low, high) : (high, low)
      // A hole as long as the one at which the engine begins anew shows as one.
      if let last, span.time - last.time < 0.5 + 2 * column {
        path.line(time(span.time), near)
      } else {
        path.move(time(span.time), near)
      }
      if abs(far - near) >= 0.1 { path.vertical(to: far) }
      last = (span.time, far)
    }
    svg.path("magnitude", path)
  }

  func drawSteps(in svg: inout SVG) {
    let dense = Layout.width / picture.row < 6 ? " dense" : ""
    if let steps = picture.truth.steps {
      drawTicks("true" + dense, here(steps), from: layout.magnitude.top - 11, to: layout.magnitude.top, in: &svg)
    }
    let counted = here(picture.analysis.steps.map(\.time))
    drawTicks("counted" + dense, counted, from: layout.counted.top, to: layout.counted.bottom, in: &svg)
    let missed = here(picture.verdict.missed)
    let stray = here(picture.verdict.stray)
    let box = layout.magnitude
    drawTicks("missedline", missed, from: box.top, to: box.bottom, in: &svg)
    drawTicks("strayline", stray, from: box.top, to: box.bottom, in: &svg)
    var triangles = SVG.Path()
    for time in missed { triangles.triangle(place(time), base: box.top - 12, width: 8, height: -10) }
    svg.path("missed", triangles)
    triangles = SVG.Path()
    for time in stray { triangles.triangle(place(time), base: layout.counted.bottom, width: 8, height: 10) }
    svg.path("stray", triangles)
  }

  func drawCadence(in svg: inout SVG) {
    if let steps = picture.truth.steps {
      // Over four steps, so that left and right even out.
      let rates = steps.indices.dropFirst(4).map { (steps[$0], 240 / max(0.1, steps[$0] - steps[$0 - 4])) }
      drawLine("truecadence", rates, in: &svg)
    }
    drawLine("cadence", picture.analysis.steps.map { ($0.time, Double($0.cadence) * 60) }, in: &svg)
    for event in picture.analysis.events where !here([event.time]).isEmpty {
      let (top, bottom) = (layout.cadence.top + 2, layout.cadence.top + 12)
      switch event.kind {
      case .pause: svg.path("pause", Self.pause(place(event.time), top: top, bottom: bottom))
      case .resume: svg.path("resume", Self.resume(place(event.time), top: top, bottom: bottom))
      }
    }
  }

  /// Two upright strokes, as on a player's key.
  static func pause(_ x: Double, top: Double, bottom: Double) -> SVG.Path {
    var path = SVG.Path()
    path.tick(x, from: top, to: bottom)
    path.tick(x + 4, from: top, to: bottom)
    return path
  }

  /// A tip to the right, as on a player's key.
  static func resume(_ x: Double, top: Double, bottom: Double) -> SVG.Path {
    var path = SVG.Path()
    path.move(x, top)
    path.line(x + 6, (top + bottom) / 2)
    path.line(x, bottom)
    path.close()
    return path
  }

  private var magnitude: Scale {
    Scale(picture.magnitudes, from: layout.magnitude.bottom, to: layout.magnitude.top)
  }

  private var cadence: Scale { Scale(Self.cadences, from: layout.cadence.bottom, to: layout.cadence.top) }

  /// From each resumption to the next pause.
  private var onFoot: [(start: Double, end: Double)] {
    var stretches: [(start: Double, end: Double)] = []
    var since: Double?
    for event in picture.analysis.events {
      switch event.kind {
      case .resume: since = since ?? event.time
      case .pause:
        if let start = since { stretches.append((start, event.time)) }
        since = nil
      }
    }
    if let start = since { stretches.append((start, picture.analysis.last)) }
    return stretches
  }

  private func drawTicks(_ name: String, _ times: [Double], from top: Double, to bottom: Double, in svg: inout SVG) {
    var path = SVG.Path()
    for time in times { path.tick(place(time), from: top, to: bottom) }
    svg.path(name, path)
  }

  /// A line through rates at times on the recording's clock, interrupted where no step fell for 2 s.
  private func drawLine(_ name: String, _ rates: [(time: Double, rate: Double)], in svg: inout SVG) {
    var path = SVG.Path()
    var last: Double?
    for (time, rate) in rates where !here([time]).isEmpty {
      if let last, time - last < 2 {
        path.line(place(time), cadence(rate))
      } else {
        path.move(place(time), cadence(rate))
      }
      last = time
    }
    svg.path(name, path)
  }
}
