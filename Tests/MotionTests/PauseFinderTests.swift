import Testing

@testable import Motion

struct PauseFinderTests {
  /// Walks for a while, then moves by a share of that amplitude; returns the looks after which a pause is found.
  private func looks(until share: Float, weights: [Float]? = nil) -> Int? {
    var finder = PauseFinder(weights: weights)
    var signals = Signals()
    for i in 0..<2000 {
      let strength: Float = i < 1000 ? 1 : share
      let bounce: Float = i % 14 < 7 ? 0.2 : -0.2
      signals.take(SIMD4(1 + strength * bounce, strength * (i % 28 < 14 ? 0.1 : -0.1), 0, 0))
      finder.take(&signals)
      guard i % 6 == 5 else { continue }
      finder.endHop(isWalking: i > 100)
      let silence = share < 1 ? Int32(max(i - 1000, 0)) : 0
      let features = finder.features(
        beatless: 20 + silence, unsteadiness: 0, turning: 0, alike: (0.9, 0.9), period: 14)
      if i > 100, finder.hasStopped(features) { return (i - 1000) / 6 }
    }
    return nil
  }

  @Test func `a walk that goes on has no pause, one that ends has one within two seconds`() throws {
    #expect(looks(until: 1) == nil)
    let found = try #require(looks(until: 0.02))
    #expect(found > 0 && found <= 8)
  }

  @Test func `weights of 0 find no pause`() {
    #expect(looks(until: 0.02, weights: [Float](repeating: 0, count: PauseFinder.weightCount)) == nil)
  }
}
