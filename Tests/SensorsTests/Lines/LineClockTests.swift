import Testing

@testable import Sensors

struct LineClockTests {
  /// Maps lines `(time, now)` one after the other.
  private func map(_ lines: [(time: Double, now: Double)]) -> [Double] {
    var clock = LineClock()
    return lines.map { clock.map($0.time, now: $0.now) }
  }

  @Test func `sets the first line to now and keeps the intervals of the others`() {
    #expect(map([(7, 500), (7.25, 509), (8, 500.5), (8, 501), (7.5, 501)]) == [500, 500.25, 501, 501, 500.5])
  }

  @Test func `begins anew when the sender's clock starts again`() {
    #expect(map([(900, 500), (901, 501), (0, 503), (1, 504)]) == [500, 501, 503, 504])
  }

  @Test func `begins anew when the sender's clock is set forward`() {
    #expect(map([(900, 500), (901, 501), (1e9, 501.5), (1e9 + 1, 503)]) == [500, 501, 502, 503])
  }

  @Test func `keeps a real gap as long as it was`() {
    #expect(map([(900, 500), (4500, 4100)]) == [500, 4100])
  }

  @Test func `leaves the motion engine a gap to see where lines came ahead of time`() {
    #expect(map([(0, 500), (9, 500), (18, 500), (0, 500), (1, 500)]) == [500, 509, 518, 519, 520])
  }
}

struct ChunksTests {
  @Test func `cuts samples after 0.19 s of their own time and loses none`() {
    let samples = (0..<100).map { sample(Double($0) / 50) }
    let chunks = Array(Chunks(samples))
    #expect(chunks.map(\.count) == Array(repeating: 10, count: 10))
    #expect(chunks.flatMap(\.self) == samples)
  }

  @Test func `cuts at a jump and after 1,024 samples on one stamp`() {
    let samples = [sample(0), sample(5), sample(4.9), sample(3)] + Array(repeating: sample(3), count: 2_000)
    #expect(Array(Chunks(samples)).map(\.count) == [1, 2, 1024, 977])
  }
}
