import Foundation
import Motion
import Sensors
import Testing

@testable import steps2mqtt

@Suite struct PictureTests {
  @Test func `a title is text, with a mark above a character too`() {
    let svg = SVG(width: 1, height: 1, title: "a<\u{312}b>&\u{312}\"", style: "").finished()
    #expect(svg.contains("<title>a&lt;\u{312}b&gt;&amp;\u{312}&quot;</title>"))
  }

  @Test func `has one mark a counted and a true step, and says both numbers`() throws {
    let folder = try Folder()
    try folder.write(SyntheticWalk.demonstration, truth: { $0.steps })
    let picture = try folder.picture()
    let drawing = try #require(Drawing(picture.svg()))
    let steps = try #require(picture.truth.steps)
    #expect(steps.count > 20)
    #expect(drawing.strokes("counted") == picture.analysis.steps.count)
    #expect(drawing.strokes("true") == steps.count)
    #expect(drawing.words.contains { $0.contains("counted \(picture.analysis.steps.count), true \(steps.count):") })
    #expect(drawing["row"].count == Int((picture.analysis.duration / picture.row).rounded(.up)))
    let pauses = picture.analysis.events.filter { $0.kind == .pause }.count
    #expect(pauses > 0)
    #expect(drawing["pause"].count - 1 == pauses)
  }

  @Test func `marks each missed and each false step, in the title, in its row and in its place`() throws {
    let folder = try Folder()
    // The truth leaves out one counted step in the middle of the walk and has one more in the rest before it.
    try folder.write([.standing(10), .walking(18)]) { walk in
      let counted = walk.steps
      return [4.5] + counted.enumerated().filter { $0.offset != 20 }.map(\.element)
    }
    let picture = try folder.picture()
    let drawing = try #require(Drawing(picture.svg()))
    #expect(picture.verdict.missed.contains(4.5))
    #expect(!picture.verdict.stray.isEmpty)
    #expect(drawing.strokes("missed") == picture.verdict.missed.count)
    #expect(drawing.strokes("stray") == picture.verdict.stray.count)
    #expect(drawing.words.contains { $0.hasPrefix("\(picture.verdict.missed.count) missed") })
    let lines = drawing["missedline"].compactMap { $0.attributes["d"] }
    let x = Text.number(Row.Layout.width * 4.5 / picture.row, 1)
    #expect(lines.contains { $0.hasPrefix("M\(x) ") })
  }

  @Test func `shows the true activities in a ribbon of their own, and where the engine was wrong`() throws {
    let folder = try Folder()
    try folder.write([.standing(20), .walking(40)])
    try folder.write("start_s,end_s,label\n0,20,standing\n20,60,bus\n60,30,broken\n", to: "walk.labels")
    let picture = try folder.picture()
    let drawing = try #require(Drawing(picture.svg()))
    #expect(picture.truth.reversed == 1)
    #expect(drawing.words.contains("bus"))
    #expect(drawing["automotive"].count >= 2)  // of the legend, and of the truth
    #expect(picture.verdict.mistaken > 30)
    #expect(drawing["mistake"].count > 1)
    #expect(drawing.words.contains { $0.contains("of them where nobody walked; activity wrong for 3") })
  }

  @Test func `without a truth nothing is judged, and the picture says what it looked for`() throws {
    let folder = try Folder()
    try folder.write([.walking(20)])
    let drawing = try #require(Drawing(try folder.picture().svg()))
    for name in ["true", "missed", "stray", "mistake", "truecadence"] { #expect(drawing[name].isEmpty, "\(name)") }
    #expect(drawing.words.contains { $0.contains("no truth beside it (walk.steps, walk.labels)") })
  }

  @Test func `any name of a file and any label leave it well-formed`() throws {
    let name = "a<b>&\"c'\u{7}\u{FFFE}é"
    let folder = try Folder(stem: name)
    try folder.write([.walking(20)])
    try folder.write("0,20,<&\"'\u{1}>\n", to: "\(name).labels")
    let drawing = try #require(Drawing(try folder.picture().svg()))
    #expect(drawing.words.contains { $0.hasPrefix("a<b>&\"c'") })
    #expect(drawing.words.contains { $0.hasPrefix("<&\"'") })
  }

  @Test func `a day fits ten rows and less than 3 MB, each step still marked`() throws {
    let folder = try Folder()
    let lines = (0...7200).map { "\($0 * 12),0,0,\($0 % 7 == 0 ? 1.2 : 1)" }
    try folder.write("t,x,y,z\n" + lines.joined(separator: "\n"), to: "walk.csv")
    try folder.write((0..<20_000).map { "\(20_000 + Double($0) * 0.5)" }.joined(separator: "\n"), to: "walk.steps")
    let text = try folder.picture().svg()
    let drawing = try #require(Drawing(text))
    #expect(drawing["row"].count <= Picture.rows)
    #expect(drawing.strokes("true") == 20_000)
    #expect(text.utf8.count < 3_000_000)
  }

  @Test func `gaps of the signal stay open`() throws {
    let folder = try Folder()
    var lines = ""
    for start in [0.0, 10] {
      for index in 0..<50 { lines += "\(start + Double(index) * 0.04),0,0,1\n" }
    }
    try folder.write(lines, to: "walk.csv")
    let drawing = try #require(Drawing(try folder.picture().svg()))
    #expect(drawing.strokes("magnitude") == 2)
  }

  @Test(arguments: [
    ("t,x,y,z\n", nil, "has no samples, so there is nothing to draw"),
    ("0,0,0,1\n40000000,0,0,1\n", nil, "lasts more than a year; are its times in seconds?"),
    ("0,0,0,1\n86400,0,0,1\n", 1, "would take more than 2000 rows; give --row 10800"),
  ])
  func `what cannot be drawn is refused in a line`(text: String, row: Double?, message: String) throws {
    let folder = try Folder()
    try folder.write(text, to: "walk.csv")
    let error = #expect(throws: PlotError.self) { try folder.picture(row: row) }
    #expect(error?.message == "\(folder.recording): \(message)")
  }

  @Test(arguments: [(0, 30), (300, 30), (301, 60), (3600, 600), (86_400, 10_800), (31_000_000, 3_888_000)])
  func `rows are as short as a sheet of paper allows`(duration: Double, row: Double) {
    #expect(Picture.row(for: duration) == row)
    #expect(duration <= row * Double(Picture.rows))
  }
}
