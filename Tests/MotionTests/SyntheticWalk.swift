import Foundation
import SeededRandom

@testable import Motion

/// A walker made of numbers: a body that bounces each step, an arm or hip that swings each second one, and noise.
struct SyntheticWalk {
  /// The samples' rate, in Hz.
  var rate = 50.0
  /// The cadence, in steps/s.
  var cadence = 1.8
  /// The amplitude of the bounce, in g.
  var bounce = 0.2
  /// The amplitude of the swing, in g.
  var swing = 0.15
  /// The standard deviation of the sensor's noise, in g.
  var noise = 0.004
  /// Where the noise starts.
  var seed: UInt64 = 1

  /// What the wearer does, in turn: seconds, and whether they walk.
  func samples(_ parts: [(seconds: Double, walks: Bool)]) -> [AccelerometerSample] {
    var generator = SplitMix(seed: seed)
    var samples: [AccelerometerSample] = []
    var phase = 0.0
    var time = 0.0
    for part in parts {
      for _ in 0..<Int(part.seconds * rate) {
        var vertical = 1.0
        var along = 0.0
        if part.walks {
          phase += cadence / rate
          let angle = 2 * Double.pi * phase
          vertical += bounce * (cos(angle) + 0.35 * cos(2 * angle + 0.6) + 0.12 * cos(3 * angle))
          along = swing * sin(angle / 2)
        }
        let sample = AccelerometerSample(
          time: time, x: Float(0.6 * vertical + 0.8 * along + noise * generator.normal()),
          y: Float(0.8 * vertical - 0.6 * along + noise * generator.normal()), z: Float(noise * generator.normal()))
        samples.append(sample)
        time += 1 / rate
      }
    }
    return samples
  }
}

extension SplitMix {
  /// A number of the standard normal distribution, nearly (the sum of twelve even ones).
  mutating func normal() -> Double {
    var sum = -6.0
    for _ in 0..<12 { sum += Double.random(in: 0..<1, using: &self) }
    return sum
  }
}

/// What the engine said, sorted.
struct Heard {
  var steps: [Step] = []
  var events: [PedometerEvent] = []
  var activities: [MotionActivity] = []

  init(_ samples: [AccelerometerSample], _ configuration: Pedometer.Configuration = .init()) {
    var pedometer = Pedometer(configuration)
    for sample in samples { pedometer.take(sample) { hear($0) } }
    pedometer.finish { hear($0) }
  }

  private mutating func hear(_ event: MotionEvent) {
    switch event {
    case .step(let step): steps.append(step)
    case .floor: break
    case .pedometer(let event): events.append(event)
    case .activity(let activity): activities.append(activity)
    }
  }
}
