/// Leaky means, over about two seconds, of what the features need besides the autocorrelations.
struct Moments: Sendable {
  /// dt / (τ + dt) for τ = 2 s at 25 Hz.
  private static let share: Float = 0.019_607_84

  /// The mean square of the impact (the movement above 2.94 Hz), in g².
  private(set) var impact: Float = 0
  /// The mean square distance between the faster and the slower gravity, in g²: how the device turns.
  private(set) var turning: Float = 0
  /// The mean square of the swing along gravity, and of all of it, in g².
  private(set) var vertical: Float = 0
  private(set) var swing: Float = 0
  /// The third and the fourth moment of the deviation, in g³ and g⁴.
  private(set) var third: Float = 0
  private(set) var fourth: Float = 0
  /// The mean square of the change of the length from one sample to the next, in g².
  private(set) var change: Float = 0
  /// The highest bounce of late, in g; it fades by 2 % a sample.
  private(set) var peak: Float = 0
  /// Maxima of the bounce, a sample.
  private(set) var maxima: Float = 0

  private var previousLength: Float = 0
  private var previousBounce: Float = 0
  private var rises = false
  private var isEmpty = true

  /// Takes the signals of the next sample, and the bounce that a maximum has to exceed, in g.
  mutating func take(_ signals: inout Signals, least: Float) {
    let length = signals.level + signals.deviation
    if isEmpty {
      isEmpty = false
      previousLength = length
    }
    let share = Moments.share
    let deviation = signals.deviation
    let square = deviation * deviation
    impact += share * (signals.impact * signals.impact - impact)
    let turn = signals.gravity - signals.slowGravity
    turning += share * ((turn * turn).sum() - turning)
    let down = signals.slowGravity
    let along = (signals.swing * down).sum()
    vertical += share * (along * along / ((down * down).sum() + 1e-6) - vertical)
    swing += share * ((signals.swing * signals.swing).sum() - swing)
    third += share * (square * deviation - third)
    fourth += share * (square * square - fourth)
    let step = length - previousLength
    change += share * (step * step - change)
    previousLength = length
    let bounce = signals.bounce
    peak = max(abs(bounce), peak * 0.98)
    let isMaximum = rises && bounce < previousBounce && previousBounce > least
    rises = bounce >= previousBounce
    previousBounce = bounce
    maxima += share * ((isMaximum ? 1 : 0) - maxima)
  }
}
