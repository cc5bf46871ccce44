import Foundation
import Testing

@testable import Motion

struct PeriodFinderTests {
  @Test(arguments: [0.9, 1.2, 1.5, 1.8, 2.1, 2.5, 3.0])
  func `finds the time of a step from 54 to 180 a minute`(cadence: Double) {
    var correlation = Autocorrelation()
    var finder = PeriodFinder()
    let strength: Float = cadence > 2.3 ? 0.6 : 0.2
    for n in 0..<300 {
      let angle = 2 * Double.pi * cadence * Double(n) * 0.04
      let swing = SIMD4(Float(0.15 * sin(angle / 2)), Float(0.2 * cos(angle)), 0, 0)
      correlation.take(bounce: strength * Float(cos(angle)), swing: swing, updating: n % 2 == 0)
      if n % 6 == 5 {
        correlation.relate()
        finder.update(&correlation)
      }
    }
    #expect(abs(Double(finder.period) * 0.04 * cadence - 1) < 0.06)
    #expect(finder.score > 0.4)
    #expect(finder.unsteadiness < 0.05)
  }

  @Test func `takes no stride of a quiet run for a step where a run is heard`() {
    var correlation = Autocorrelation()
    var finder = PeriodFinder()
    for n in 0..<300 {
      let angle = 2 * Double.pi * 2.7 * Double(n) * 0.04
      let swing = SIMD4(Float(0.1 * sin(angle / 2)), Float(0.4 * cos(angle)), 0, 0)
      correlation.take(bounce: 0.3 * Float(cos(angle)), swing: swing, updating: n % 2 == 0)
      if n % 6 == 5 {
        correlation.relate()
        finder.update(&correlation, isOnTheRun: true)
      }
    }
    #expect(abs(Double(finder.period) * 0.04 * 2.7 - 1) < 0.06)
  }

  @Test func `a parabola's vertex is found and held within half a sample`() {
    #expect(PeriodFinder.vertex(0, 1, 0) == 0)
    #expect(abs(PeriodFinder.vertex(-0.56, 0.96, 0.56 - 0.08) - 0.26) < 0.01)
    #expect(PeriodFinder.vertex(1, 1, 1) == 0)
  }
}
