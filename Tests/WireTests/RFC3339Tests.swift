import Testing
import Wire

@Suite struct RFC3339Tests {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
    (1_796_026_520_000, "2026-11-30T08:15:20.000Z"), (951_782_400_123, "2000-02-29T00:00:00.123Z"),
    (4_107_542_399_999, "2100-02-28T23:59:59.999Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
  ])
  func `a moment and its text turn into one another`(milliseconds: Int64, text: String) {
    #expect(RFC3339.text(milliseconds) == text)
    #expect(RFC3339.milliseconds(text) == milliseconds)
  }

  @Test(arguments: [
    ("2026-11-30T10:15:20+02:00", 1_796_026_520_000), ("2026-11-30t08:15:20z", 1_796_026_520_000),
    ("2026-11-30T02:45:20.5-05:30", 1_796_026_520_500), ("2026-11-30T08:15:20.1239Z", 1_796_026_520_123),
  ])
  func `any zone and any number of decimals is read`(text: String, milliseconds: Int64) {
    #expect(RFC3339.milliseconds(text) == milliseconds)
  }

  @Test(arguments: [
    "", "now", "2026-11-30", "2026-11-30T08:15:20", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z",
    "2026-11-30T24:00:00Z", "2026-11-30T08:15:20.Z", "2026-11-30T08:15:20Z ", "2026-11-30T08:15:20+2:00",
    "٢٠٢٦-11-30T08:15:20Z", "-026-11-30T08:15:20Z",
  ])
  func `anything else is none`(text: String) {
    #expect(RFC3339.milliseconds(text) == nil)
  }

  @Test func `every day of 400 years is its own neighbour's neighbour`() {
    var before = RFC3339.text(-1)
    for day in 0..<146_097 {
      let text = RFC3339.text(Int64(day) * 86_400_000)
      #expect(text > before)
      if RFC3339.milliseconds(text) != Int64(day) * 86_400_000 { Issue.record("\(text)") }
      before = text
    }
  }
}
