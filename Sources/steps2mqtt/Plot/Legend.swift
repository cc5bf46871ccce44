import Motion

/// Says what each mark of the picture means.
struct Legend {
  let hasSteps: Bool
  let hasStretches: Bool

  var height: Double { 42 }

  func draw(in svg: inout SVG) {
    var pen = Pen()
    item("magnitude of the acceleration (g)", &pen, &svg) { x, y, svg in
      var path = SVG.Path()
      path.move(x, y)
      for (index, height) in [-6.0, 2, -9, 1, -5, 0].enumerated() { path.line(x + 3 + Double(index) * 3, y + height) }
      svg.path("magnitude", path)
    }
    if hasSteps { item("true step", &pen, &svg) { x, y, svg in svg.path("true", Self.ticks(x, y)) } }
    item("counted step", &pen, &svg) { x, y, svg in svg.path("counted", Self.ticks(x, y)) }
    if hasSteps {
      item("missed", &pen, &svg) { x, y, svg in
        var path = SVG.Path()
        path.triangle(x + 10, base: y - 9, width: 8, height: -8)
        svg.path("missed", path)
      }
    }
    if hasSteps || hasStretches {
      item("false", &pen, &svg) { x, y, svg in
        var path = SVG.Path()
        path.triangle(x + 10, base: y, width: 8, height: 8)
        svg.path("stray", path)
      }
    }
    item("on foot, from resume to pause", &pen, &svg) { x, y, svg in
      svg.rectangle("onfoot", x: x, y: y - 9, width: 20, height: 10)
      svg.path("resume", Row.resume(x + 2, top: y - 8, bottom: y))
      svg.path("pause", Row.pause(x + 16, top: y - 8, bottom: y))
    }
    item("cadence (steps/min)", &pen, &svg) { x, y, svg in svg.path("cadence", Self.stroke(x, y)) }
    if hasSteps { item("true cadence", &pen, &svg) { x, y, svg in svg.path("truecadence", Self.stroke(x, y)) } }
    pen.lineFeed()
    for kind in Ink.activities {
      item(kind.rawValue, &pen, &svg) { x, y, svg in
        svg.rectangle(kind.rawValue, x: x, y: y - 9, width: 20, height: 11)
      }
    }
    item("as high as its confidence", &pen, &svg) { x, y, svg in
      svg.rectangle("stationary", x: x, y: y - 4, width: 7, height: 5)
      svg.rectangle("stationary", x: x + 7, y: y - 7, width: 7, height: 8)
      svg.rectangle("stationary", x: x + 14, y: y - 10, width: 7, height: 11)
    }
    if hasStretches {
      let allowance = Text.number(Verdict.allowance, 0)
      item("wrong activity (\(allowance) s after a change are free)", &pen, &svg) { x, y, svg in
        svg.rectangle("mistake", x: x, y: y - 6, width: 20, height: 4)
      }
    }
  }

  /// Where the next item goes.
  private struct Pen {
    var x = 0.0
    var y = 12.0

    mutating func lineFeed() {
      x = 0
      y += 18
    }
  }

  private func item(
    _ words: String, _ pen: inout Pen, _ svg: inout SVG, _ draw: (Double, Double, inout SVG) -> Void
  ) {
    draw(pen.x, pen.y, &svg)
    svg.words("word", x: pen.x + 25, y: pen.y, words)
    // Letters of this size are about 6.3 px wide.
    pen.x += 25 + Double(words.count) * 6.3 + 16
  }

  private static func ticks(_ x: Double, _ y: Double) -> SVG.Path {
    var path = SVG.Path()
    for offset in [4.0, 10, 16] { path.tick(x + offset, from: y - 9, to: y) }
    return path
  }

  private static func stroke(_ x: Double, _ y: Double) -> SVG.Path {
    var path = SVG.Path()
    path.move(x, y - 4)
    path.line(x + 20, y - 4)
    return path
  }
}
