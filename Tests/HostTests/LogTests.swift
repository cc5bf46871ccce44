import Synchronization
import Testing

@testable import Host

@Suite struct LogTests {
  @Test(arguments: zip(Log.Level.allCases, ["<3>x\n", "<4>x\n", "<5>x\n", "<6>x\n", "<7>x\n"]))
  func `a line to the journal begins with its level`(level: Log.Level, line: String) {
    let page = Page()
    page.log(level: .debug, style: .journal)(level, "x")
    #expect(page.lines == [line])
  }

  @Test func `lines below the level are not written, nor made`() {
    let page = Page()
    let log = page.log(level: .warning, style: .journal)
    log(.notice, made(page))
    log(.warning, "b")
    #expect(page.lines == ["<4>b\n"])
    log.setLevel(.debug)
    log(.debug, "c")
    #expect(page.lines == ["<4>b\n", "<7>c\n"])
  }

  @Test func `what comes from outside cannot make a second line or colours`() {
    let page = Page()
    page.log(style: .journal)(.info, "a\n<3>b\r\u{1B}[31mc\u{2028}d\u{202E}e\u{0}f")
    #expect(page.lines == ["<6>a <3>b  [31mc d e f\n"])
  }

  @Test func `a plain line begins with the time in UTC`() {
    let page = Page()
    page.log(style: .plain)(.error, "x")
    #expect(page.lines.first?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ error: x\n/) != nil)
  }

  @Test func `a line on a terminal takes a progress line away`() {
    let page = Page()
    page.log(style: .terminal)(.error, "x")
    #expect(page.lines == ["\r\u{1B}[2K\u{1B}[31merror:\u{1B}[0m x\n"])
  }

  @Test func `lines of a kind come once a minute, and say how many were held back`() {
    let page = Page()
    let log = page.log(style: .journal)
    for number in 1...5 { log(.info, kind: "bad line", "line \(number)") }
    log(.info, kind: "other", "another kind")
    log(.info, "no kind")
    page.advance(by: .seconds(59))
    log(.info, kind: "bad line", "line 6")
    #expect(page.lines == ["<6>line 1\n", "<6>another kind\n", "<6>no kind\n"])
    page.advance(by: .seconds(1))
    log(.info, kind: "bad line", "line 7")
    #expect(page.lines.last == "<6>line 7 (and 5 more like it)\n")
    page.advance(by: .seconds(60))
    log(.info, kind: "bad line", "line 8")
    #expect(page.lines.last == "<6>line 8\n")
  }

  @Test func `lines that nobody reads are dropped, and counted when somebody reads again`() {
    let page = Page()
    let log = page.log(style: .journal)
    page.isRead(false)
    for _ in 0..<3 { log(.info, "a") }
    page.isRead(true)
    log(.info, "b")
    log(.info, "c")
    #expect(page.lines == ["<4>3 lines are missing here, since nobody read them\n", "<6>b\n", "<6>c\n"])
  }

  private func made(_ page: Page) -> String {
    Issue.record("a line was made that is not written")
    return ""
  }
}

/// What a log wrote, and a clock that is set by hand.
final class Page: Sendable {
  private let state = Mutex<(lines: [String], time: ContinuousClock.Instant, isRead: Bool)>(([], .now, true))

  var lines: [String] { state.withLock { $0.lines } }

  func advance(by duration: Duration) { state.withLock { $0.time += duration } }

  /// Says whether somebody takes the lines.
  func isRead(_ isRead: Bool) { state.withLock { $0.isRead = isRead } }

  func log(level: Log.Level = .info, style: Log.Style) -> Log {
    Log(
      level: level, style: style,
      write: { line in
        self.state.withLock { state in
          if state.isRead { state.lines.append(line) }
          return state.isRead
        }
      },
      now: { self.state.withLock { $0.time } })
  }
}
