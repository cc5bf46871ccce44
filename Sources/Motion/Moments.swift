/// Leaky means, over about two seconds, of what the features need besides the autocorrelations.
struct Moments: Sendable {
  /// dt / (τ + dt) for τ = 2 s at 25 Hz.
  private static let share: Float = 0.019_607_84

  /// The mean square of the impact (the movement above 2.94 Hz), in g².
  var impact: Float { low[0] }
  /// The mean square distance between the faster and the slower gravity, in g²: how the device turns.
  var turning: Float { low[1] }
  /// The mean square of the swing along gravity, and of all of it, in g².
  var vertical: Float { low[2] }
  var swing: Float { low[3] }
  /// The third and the fourth moment of the deviation, in g³ and g⁴.
  var third: Float { high[0] }
  var fourth: Float { high[1] }
  /// The mean square of the change of the length from one sample to the next, in g².
  var change: Float { high[2] }
  /// Maxima of the bounce, a sample.
  var maxima: Float { high[3] }
  /// The highest bounce of late, in g; it fades by 2 % a sample.
  private(set) var peak: Float = 0

  private var low = SIMD4<Float>.zero
  private var high = SIMD4<Float>.zero
  private var previousLength: Float = 0
  private var previousBounce: Float = 0
  private var rises = false
  private var isEmpty = true

  /// Takes the signals of the next sample, and the square of the bounce that a maximum has to exceed, in g².
  mutating func take(_ signals: inout Signals, leastSquare: Float) {
    let length = signals.level + signals.deviation
    if isEmpty {
      isEmpty = false
      previousLength = length
    }
    let deviation = signals.deviation
    let square = deviation * deviation
    let impact = signals.impact
    let turn = signals.gravity - signals.slowGravity
    let down = signals.slowGravity
    let along = (signals.swing * down).spatialTotal
    let step = length - previousLength
    previousLength = length
    let bounce = signals.bounce
    peak = max(abs(bounce), peak * 0.98)
    let isHigh = previousBounce > 0 && previousBounce * previousBounce > leastSquare
    let isMaximum = rises && bounce < previousBounce && isHigh
    rises = bounce >= previousBounce
    previousBounce = bounce
    low +=
      Moments.share
      * (SIMD4(
        impact * impact, (turn * turn).spatialTotal, along * along / ((down * down).spatialTotal + 1e-6),
        signals.swingSquare) - low)
    high += Moments.share * (SIMD4(square * deviation, square * square, step * step, isMaximum ? 1 : 0) - high)
  }
}
