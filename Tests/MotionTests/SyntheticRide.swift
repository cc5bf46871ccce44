import Foundation
import SeededRandom

@testable import Motion

/// A rider made of numbers, with the device in a trouser pocket: a thigh that turns to and fro with each turn of the
/// pedals and rises and falls a little, on a road that shakes.
struct SyntheticRide {
  /// The turns of the pedals, a second.
  var turns = 1.3
  /// How far the thigh turns to each side, in rad.
  var swing = 0.35
  /// How strongly it rises and falls, in g.
  var bounce = 0.12
  /// The standard deviation of the shaking, in g.
  var shaking = 0.08

  /// A minute of it, at 50 Hz.
  func samples() -> [AccelerometerSample] {
    var generator = SplitMix(seed: 1)
    return (0..<3000).map { i in
      let time = Double(i) / 50
      let angle = 2 * Double.pi * turns * time
      let tilt = 0.8 + swing * sin(angle)
      let length =
        1 + bounce * (cos(angle + 0.7) + 0.3 * cos(2 * angle)) + shaking * generator.normal()
      return AccelerometerSample(
        time: time, x: Float(length * sin(tilt) + shaking * generator.normal()),
        y: Float(length * cos(tilt) + shaking * generator.normal()), z: Float(shaking * generator.normal()))
    }
  }
}
