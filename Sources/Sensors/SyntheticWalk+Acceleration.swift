import Glibc
import Motion

/// How a place on the body moves when its owner walks at 1.8 steps/s.
///
/// Orders of magnitude from the recordings that the engine is measured with: a belt goes up and down by some 0.25 g,
/// a thigh and an arm swing by some 20° to either side.
private struct Carriage {
  /// The amplitude of going up and down once a step, in g.
  var bounce: Double
  /// What one stride does more in its left half, in g.
  var stride: Double
  /// The blow of a heel, in g.
  var heel: Double
  /// The swing to either side once a stride, in radians.
  var swing: Double
  /// The distance of the device from the joint about which it swings, in m.
  var radius: Double

  init(_ placement: SyntheticWalk.Placement) {
    switch placement {
    case .wrist: self.init(bounce: 0.17, stride: 0.03, heel: 0.10, swing: 0.35, radius: 0.45)
    case .pocket: self.init(bounce: 0.24, stride: 0.08, heel: 0.30, swing: 0.35, radius: 0.25)
    case .waist: self.init(bounce: 0.25, stride: 0.03, heel: 0.20, swing: 0.03, radius: 0.10)
    case .hand: self.init(bounce: 0.20, stride: 0.02, heel: 0.07, swing: 0.05, radius: 0.20)
    }
  }

  private init(bounce: Double, stride: Double, heel: Double, swing: Double, radius: Double) {
    self.bounce = bounce
    self.stride = stride
    self.heel = heel
    self.swing = swing
    self.radius = radius
  }
}

extension SyntheticWalk {
  /// The acceleration that the device feels at a time in seconds, in g along its own axes, without noise.
  ///
  /// May be asked for at any times, so that irregular sampling can be tried.
  public func acceleration(at time: Double) -> SIMD3<Double> {
    var felt: SIMD3<Double> = [0, 0, 1]  // forward, left, up
    if let bout = bout(at: time) {
      switch bout.activity {
      case .standing: felt += sway.standing(time)
      case .walking, .running: felt = gait(bout, time)
      case .cycling: felt = pedalling(bout, time)
      case .riding: felt += sway.riding(time)
      }
    }
    return attitude.rotation(at: time)(felt)
  }

  private func bout(at time: Double) -> SyntheticBout? {
    var low = 0
    var high = bouts.count
    while low < high {
      let middle = (low + high) / 2
      if bouts[middle].end <= time { low = middle + 1 } else { high = middle }
    }
    return low < bouts.count ? bouts[low] : nil
  }

  /// The step, one harmonic of the stride, a heel strike, and the swing that turns gravity about.
  private func gait(_ bout: SyntheticBout, _ time: Double) -> SIMD3<Double> {
    let carriage = Carriage(configuration.placement)
    let runs = bout.activity == .running
    let (phase, strength) = bout.gait(at: time)
    let pace = pow(bout.cadence / 1.8, 1.5)
    let size = strength * configuration.vigour * pace
    let step = 2 * .pi * (phase - 0.12)  // the body is lowest a little after the foot fell
    let stride = .pi * phase
    let part = phase - phase.rounded(.down)
    let sinceStep = part / bout.cadence
    let blow = exp(-sinceStep / 0.04) * sin(2 * .pi * 11 * sinceStep)  // rings at 11 Hz and dies within 0.1 s
    var felt = sway.standing(time)
    felt.z += 1 + size * (carriage.stride * cos(stride + 0.4) + carriage.heel * blow)
    if runs {
      // On the ground seven tenths of the time, pushed like a spring; otherwise in flight, where nothing is felt.
      let push = part < 0.7 ? .pi / 1.4 * sin(.pi * part / 0.7) : 0
      let effort = min(strength * configuration.vigour, 1)
      let landing = part < 0.25 ? sin(.pi * part / 0.25) : 0
      felt.z += effort * (0.8 * push + 1.2 * landing - 1)
      // The foot brakes and then pushes off; the body falls from one leg onto the other, and twists.
      felt.x += effort * 0.3 * (part < 0.7 ? -sin(2 * .pi * part / 0.7) : 0)
      felt.y += effort * (0.3 * sin(stride) + 0.15 * sin(3 * stride + 0.5))
    } else {
      felt.z += size * carriage.bounce * (cos(step) + 0.35 * cos(2 * step + 0.6) + 0.12 * cos(3 * step + 1.1))
    }
    felt.x += size * (0.6 * carriage.bounce * sin(step + 0.3) + 0.4 * carriage.heel * blow)
    felt.y += size * (carriage.stride + 0.04) * sin(stride)
    let swing = carriage.swing * min(size, 2)
    let angle = swing * sin(stride + 0.2)
    let speed = .pi * bout.cadence  // of the stride's angle, in radians/s
    // A runner bends the elbow. Gravity along the arc and the swing's own acceleration partly cancel, as in a pendulum.
    let pull = (runs ? 0.5 : 1) * carriage.radius / AccelerometerSample.standardGravity * speed * speed
    felt.x -= pull * angle
    felt.z += pull * pow(swing * cos(stride + 0.2), 2)
    return Rotation(by: angle, about: [0, 1, 0])(felt)
  }

  /// A thigh that goes up and down once a turn of the crank, coasting for 3 s of every 17.
  private func pedalling(_ bout: SyntheticBout, _ time: Double) -> SIMD3<Double> {
    let turned = 2 * .pi * (time - bout.start) * bout.cadence / 2
    let coasts = (time - bout.start).truncatingRemainder(dividingBy: 17) > 14
    let swing: Double
    switch configuration.placement {
    case .pocket: swing = 0.35
    case .waist: swing = 0.03
    case .wrist, .hand: swing = 0.01
    }
    let angle = coasts ? swing : swing * cos(turned)
    let felt = SIMD3(0, 0, 1) + sway.cycling(time) * configuration.vigour
    return Rotation(by: angle - 1, about: [0, 1, 0])(felt)
  }
}
