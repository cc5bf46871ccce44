import Foundation
import Testing

@testable import Motion

struct BeatTrackerTests {
  private func chain(_ cadence: Double, period: Float, seconds: Int = 12) -> (BeatTracker.Chain, Int32) {
    var tracker = BeatTracker()
    tracker.setPeriod(period)
    let count = Int32(seconds * 25)
    for now in 0..<count {
      let moment = Double(now - 12) * 0.04  // the beat signal is 12 samples late
      tracker.take(Float(0.2 * cos(2 * Double.pi * cadence * moment)), now: now)
    }
    let now = count - 1
    var chain = BeatTracker.Chain()
    if let last = tracker.lastBeat(after: 50, now: now) { tracker.trace(&chain, from: last, after: 50, now: now) }
    return (chain, now)
  }

  @Test(arguments: [1.1, 1.5, 1.9, 2.4, 3.0])
  func `beats lie on the maxima, one a step`(cadence: Double) {
    let (chain, now) = chain(cadence, period: Float(25 / cadence))
    let expected = Double(now - 20 - 50) * 0.04 * cadence
    #expect(abs(Double(chain.count) - expected) <= 1.5)
    for i in 0..<(chain.count - 1) {
      let turns = Double(chain.samples[i]) * 0.04 * cadence
      #expect(abs(turns - turns.rounded()) < 0.15)
      #expect(chain.heights[i] > 0.25)
    }
  }

  @Test func `a period wrong by a sixth does no harm`() {
    let (right, _) = chain(1.8, period: 13.9)
    let (wrong, _) = chain(1.8, period: 16.2)
    #expect(abs(right.count - wrong.count) <= 1)
  }

  @Test func `forgets everything at a reset`() {
    var tracker = BeatTracker()
    for now in Int32(0)..<200 { tracker.take(Float(cos(Double(now) * 0.45)), now: now) }
    tracker.reset(at: 200)
    let last = tracker.lastBeat(after: 0, now: 201)
    #expect(last == nil)
  }
}
