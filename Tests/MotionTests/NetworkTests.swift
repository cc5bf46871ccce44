import Foundation
import SeededRandom
import Testing

@testable import Motion

struct NetworkTests {
  private static func features() -> Features {
    var correlation = Autocorrelation()
    var period = PeriodFinder()
    var moments = Moments()
    var signals = Signals()
    for n in 0..<300 {
      let angle = 2 * Double.pi * 1.8 * Double(n) * 0.04
      signals.take(SIMD4(Float(1 + 0.2 * cos(angle)), Float(0.1 * sin(angle / 2)), 0, 0))
      correlation.take(bounce: signals.bounce, swing: signals.swing, updating: n % 2 == 0)
      moments.take(&signals, leastSquare: 0.0004)
      if n % 6 == 5 {
        correlation.relate()
        period.update(&correlation)
      }
    }
    return Features(&correlation, period, moments, level: signals.level)
  }

  /// The network's output, written down without any regard for speed.
  private func plainly(_ weights: [Float], _ inputs: [Float]) -> [Double] {
    var values = (0..<29).map { Double(min(max((inputs[$0] - weights[$0]) * weights[32 + $0], -4), 4)) }
    var at = 64
    for (layer, width) in [36, 24, 8].enumerated() {
      let rows = values + [1]
      values = (0..<width).map { unit in
        rows.enumerated().reduce(0) { $0 + $1.element * Double(weights[at + $1.offset * width + unit]) }
      }
      at += rows.count * width
      if layer < 2 { values = values.map { max($0, 0) } }
    }
    let exponentials = values[..<6].map { exp($0) }
    return exponentials.map { $0 / exponentials.reduce(0, +) }
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func `computes what a network computes`(seed: UInt64) {
    var generator = SplitMix(seed: seed)
    let weights = (0..<Network.weightCount).map { _ in Float(generator.normal() * 0.4) }
    var features = NetworkTests.features()
    let judgement = Network(weights: weights).judge(&features)
    let expected = plainly(weights, (0..<29).map { features.values[$0] })
    for kind in Network.Class.allCases { #expect(abs(Double(judgement[kind]) - expected[kind.rawValue]) < 1e-3) }
  }

  @Test func `has trained weights that take a walk for a walk`() {
    var features = NetworkTests.features()
    let judgement = Network().judge(&features)
    #expect(judgement[.walking] + judgement[.running] > 0.9)
    #expect(abs(judgement.probabilities.sum() - 1) < 1e-4)
  }
}
