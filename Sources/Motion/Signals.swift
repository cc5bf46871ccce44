/// The signals that everything else is made of, at 25 Hz.
///
/// Accelerations are vectors of four whose last element is 0, as processors like them. Only the length of the acceleration and dot products are used further on, so the device's orientation does not matter.
/// Here and elsewhere `mutating` and `inout` stand where nothing changes, too: reading an `InlineArray` of a borrowed value
/// copies all of it each time (Swift 6.3).
struct Signals: Sendable {
  /// The length of the acceleration less its slow mean, in g.
  private(set) var deviation: Float = 0
  /// The slow mean of the length (time constant 0.8 s), in g.
  private(set) var level: Float = 0
  /// The deviation below 2.94 Hz (two one-pole low-passes): the bounce of the body, in g.
  private(set) var bounce: Float = 0
  /// The deviation above that, in g.
  var impact: Float { deviation - bounce }
  /// The acceleration less gravity, below 5.7 Hz, in g.
  private(set) var swing = SIMD4<Float>.zero
  /// The square of the swing, and with that of the deviation: how much the device moves now, in g².
  private(set) var swingSquare: Float = 0
  private(set) var power: Float = 0
  /// Gravity by a mean of time constant 0.8 s, in g.
  private(set) var gravity = SIMD4<Float>.zero
  /// Gravity by a slower mean (1.96 s), in g.
  private(set) var slowGravity = SIMD4<Float>.zero
  /// The smoothed mean square of deviation and swing (time constant 0.5 s), in g²: how much the device moves at all.
  private(set) var agitation: Float = 0

  private var halfway: Float = 0
  private var history = InlineArray<64, Float>(repeating: 0)
  private var newest = 0
  private var isEmpty = true

  // α = dt / (τ + dt) for the means, 1 − e^(−2πf·dt) for the low-passes; dt = 0.04 s.
  private static let meanShare: Float = 0.047_619_05
  private static let slowShare: Float = 0.02
  private static let bounceShare: Float = 0.522_37
  private static let swingShare: Float = 0.761_27
  private static let agitationShare: Float = 0.074_074_07

  /// Two low-passes of 25 taps, filled up to 28 by zeros: sin(2πf·dt·n)/(πn) under a Hamming window, scaled to the sum 1.
  ///
  /// The first is at 2.6 Hz; the second at 4.2 Hz, for running, whose steps the other one would weaken more than the strides.
  private static let lowPasses: InlineArray<56, Float> = [
    0.0021142, 0.0021690, 0.0011171, -0.0029616, -0.0106946, -0.0188905, -0.0200568, -0.0052396, 0.0307481, 0.0846231,
    0.1436564, 0.1897902, 0.2072499, 0.1897902, 0.1436564, 0.0846231, 0.0307481, -0.0052396, -0.0200568, -0.0188905,
    -0.0106946, -0.0029616, 0.0011171, 0.0021690, 0.0021142, 0, 0, 0,
    0.0002134, -0.0022645, -0.0040872, -0.0005732, 0.0102652, 0.0171432, 0.0014422, -0.0354952, -0.0541687,
    -0.0023117, 0.1283211, 0.2731841, 0.3366625, 0.2731841, 0.1283211, -0.0023117, -0.0541687, -0.0354952,
    0.0014422, 0.0171432, 0.0102652, -0.0005732, -0.0040872, -0.0022645, 0.0002134, 0, 0, 0,
  ]

  /// Takes the acceleration 40 ms after the one before, in g.
  mutating func take(_ acceleration: SIMD4<Float>) {
    let length = (acceleration * acceleration).spatialTotal.squareRoot()
    if isEmpty {
      isEmpty = false
      level = abs(length - 1) < 0.5 ? 1 : length  // a walk may be under way
      gravity = acceleration
      slowGravity = acceleration
    }
    level += Signals.meanShare * (length - level)
    deviation = length - level
    halfway += Signals.bounceShare * (deviation - halfway)
    bounce += Signals.bounceShare * (halfway - bounce)
    gravity += Signals.meanShare * (acceleration - gravity)
    slowGravity += Signals.slowShare * (gravity - slowGravity)
    swing += Signals.swingShare * (acceleration - gravity - swing)
    swingSquare = (swing * swing).spatialTotal
    power = deviation * deviation + swingSquare
    agitation += Signals.agitationShare * (power - agitation)
    newest = (newest &- 1) & 31
    history[newest] = deviation
    history[newest &+ 32] = deviation
  }

  /// Whether an acceleration differs from gravity by less than 0.02 g: a device that lies still need not be looked at closer.
  @inline(__always)
  mutating func isAtRest(_ acceleration: SIMD4<Float>) -> Bool {
    let moved = acceleration - gravity
    return (moved * moved).spatialTotal < 4e-4
  }

  /// Returns the deviation below 2.6 Hz, or 4.2 Hz where steps are fast, in g: a maximum a step.
  ///
  /// Its phase is not shifted; it is 0.48 s (12 samples) late.
  mutating func beat(isFast: Bool) -> Float {
    let first = newest & 31
    var sums = SIMD4<Float>.zero
    var tap = isFast ? 28 : 0
    for j in 0..<7 {
      sums += history.four(from: first &+ 4 &* j) * Signals.taps(tap)
      tap &+= 4
    }
    return sums.total
  }

  // Each element is named: a constant that is looked at as a whole is copied as a whole.
  @inline(__always)
  private static func taps(_ i: Int) -> SIMD4<Float> {
    SIMD4(lowPasses[i], lowPasses[i &+ 1], lowPasses[i &+ 2], lowPasses[i &+ 3])
  }
}
