import Testing

@testable import Agent

@Suite struct ReplayPaceTests {
  /// The records that may be under way after some acknowledgements that took so many ms each.
  private func records(_ pace: inout ReplayPace, after time: Int64, times: Int = 50) -> Int {
    for _ in 0..<times { pace.arrived(after: time) }
    return pace.window * pace.batch
  }

  @Test func `it begins with little, slows down when the broker does, and speeds up with it`() {
    var pace = ReplayPace()
    #expect(pace.window * pace.batch == 5)
    #expect(records(&pace, after: 20) == 1750)
    #expect(records(&pace, after: 3000) == 5)
    #expect(records(&pace, after: 20) == 1750)
    pace.restart()
    #expect(pace.window * pace.batch == 5)
  }

  @Test func `a long line is not a slow one: what counts is the wait beyond the quickest`() {
    var pace = ReplayPace()
    pace.heard(after: 2000)
    #expect(records(&pace, after: 2300) == 750)
    #expect(records(&pace, after: 3100) == 5)
  }

  @Test func `what waits behind the window is for a broker at hand, lest an event wait for it on a long line`() {
    var pace = ReplayPace()
    #expect(records(&pace, after: 100) == 1750)
    #expect(records(&pace, after: 101, times: 1) == 750)
    #expect(records(&pace, after: 101) == 750)
    #expect(records(&pace, after: 100) == 1750)
  }

  @Test func `a refused size is respected until batches arrive again`() {
    var pace = ReplayPace()
    _ = records(&pace, after: 20)
    pace.split(50)
    #expect(pace.batch == 25)
    pace.split(3)
    #expect(pace.batch == 1)
    #expect(records(&pace, after: 20) == 1750)
  }
}
