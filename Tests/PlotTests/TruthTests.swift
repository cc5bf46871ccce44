import Motion
import Testing

@testable import steps2mqtt

@Suite struct TruthTests {
  @Test func `steps are read in order, comments and blank lines passed over`() throws {
    #expect(try Truth.steps(in: ["# foot switch", "2.5", "", " 1.25 "], of: "w.steps") == [1.25, 2.5])
  }

  @Test(arguments: ["soon", "nan", "1,2", "0x1p3", "1e999"])
  func `a step that is no time is refused with its line`(text: String) {
    let error = #expect(throws: PlotError.self) { try Truth.steps(in: ["1.5", text[...]], of: "w.steps") }
    #expect(error?.message == "w.steps:2: '\(text)' is not the time of a step in s, such as 12.345")
  }

  @Test(arguments: [["start_s,end_s,label"], []])
  func `labels are read with and without a header`(header: [Substring]) throws {
    let read = try Truth.stretches(in: header + ["0,12.5,walking", "12.5, 60 , Bus, full "], of: "w.labels")
    let bus = Truth.Stretch(start: 12.5, end: 60, label: "Bus, full")
    #expect(read == [Truth.Stretch(start: 0, end: 12.5, label: "walking"), bus])
  }

  @Test(arguments: ["0,12.5", "0,12.5,", "a,1,walking", "0,nan,walking", "walking"])
  func `a label that is none is refused with its line`(text: String) {
    let error = #expect(throws: PlotError.self) { try Truth.stretches(in: ["0,1,walking", text[...]], of: "w.labels") }
    #expect(error?.message == "w.labels:2: '\(text)' is not start,end,label in s, such as 12.5,60,walking")
  }

  @Test(
    arguments: [
      ("walking", .walking), ("stairs_up", .walking), ("Running", .running), ("treadmill_running", .running),
      ("biking", .cycling), ("Bus", .automotive), ("driving", .automotive), ("sitting", .stationary),
      ("typing", nil), ("treadmill", nil), ("", nil),
    ] as [(String, MotionActivity.Kind?)])
  func `a label stands for the activity that it names, or for none`(label: String, kind: MotionActivity.Kind?) {
    #expect(MotionActivity.Kind(label: label) == kind)
  }

  @Test(arguments: [
    ("walk.csv", "walk", "walk.csv"), ("data.d/walk", "data.d/walk", "walk"), ("/a/b.c.csv", "/a/b.c", "b.c.csv"),
    (".hidden", ".hidden", ".hidden"), ("", "", ""), ("/", "/", "/"),
  ])
  func `a file's name is taken apart`(path: String, stem: String, last: String) {
    #expect(FileName(path).stem == stem)
    #expect(FileName(path).last == last)
  }
}
