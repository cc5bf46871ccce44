import Foundation
import SeededRandom
import Testing

@testable import Motion

struct FeaturesTests {
  private func features(_ samples: [AccelerometerSample]) -> [Float] {
    var pedometer = Pedometer()
    for sample in samples { pedometer.take(sample) { _ in } }
    return pedometer.features()
  }

  @Test func `do not depend on the device's orientation`() {
    let walk = SyntheticWalk().samples([(10, true)])
    let turned = walk.map { sample in
      AccelerometerSample(
        time: sample.time, x: 0.36 * sample.x + 0.48 * sample.y - 0.8 * sample.z,
        y: -0.8 * sample.x + 0.6 * sample.y, z: 0.48 * sample.x + 0.64 * sample.y + 0.6 * sample.z)
    }
    for (one, other) in zip(features(walk), features(turned)) { #expect(abs(one - other) < 2e-3 * max(1, abs(one))) }
  }

  @Test func `are finite whatever comes`() {
    var generator = SplitMix(seed: 7)
    for strength in [0.0, 1e-6, 0.01, 1, 30] {
      let samples = (0..<500).map { i in
        AccelerometerSample(
          time: Double(i) * 0.02, x: Float(strength * generator.normal()), y: Float(strength * generator.normal()),
          z: Float(strength * generator.normal()))
      }
      for value in features(samples) { #expect(value.isFinite) }
    }
  }

  @Test func `tell a walk's period and strength`() {
    let values = features(SyntheticWalk(rate: 50, cadence: 1.8, bounce: 0.2, noise: 0.002).samples([(12, true)]))
    #expect(abs(exp(values[10]) * 0.04 - 1 / 1.8) < 0.02)
    #expect(values[2] > 0.9)  // the bounce repeats each step
    #expect(values[7] < 0)  // the swing does not repeat within a step
    #expect(values[5] > 0.9)  // but each second one
  }
}
