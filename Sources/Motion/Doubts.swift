/// What a look says for a walk, and what may be something else after all.
struct Doubts {
  /// The period from which on steps are slow, in samples: 54 a minute.
  private static let slowPeriod: Float = 28
  /// The period from which on walks are gentle: 94 a minute.
  private static let easyPeriod: Float = 16

  /// Whether steps are slower than 54 a minute: squats and lifting look like them.
  private let isSlow: Bool
  /// Whether movements slower than 94 a minute swing by 0.47 to 0.74 g.
  ///
  /// The force of a walk grows with its pace, so that this is clapping, or the like. What is stronger still is a run of which
  /// each stride was taken for a step.
  private let isForced: Bool
  /// Whether the thigh goes round as on pedals: a strong swing comes back with each slow step.
  ///
  /// On foot left and right differ, so that a swing comes back after two steps, or it is hardly more than the bounce. Where
  /// strides are taken for steps, it is the halves of a run's that are alike, an arm that pulls by its centrifugal
  /// force, or a foot that strikes. Measured: half of what two of nine riders with the device in a trouser pocket do, under
  /// 1 % of walks.
  let isPedalled: Bool

  /// Looks at a moment: the period in samples, and the slow mean of the acceleration's length in g.
  init(_ period: Float, _ correlation: inout Autocorrelation, _ moments: Moments, level: Float) {
    let (bounce, swing) = (correlation.bouncePower, correlation.swingPower)
    let isEasy = period > Doubts.easyPeriod
    let (step, half) = (Int(period + 0.5), Int(0.5 * period + 0.5))
    isSlow = period > Doubts.slowPeriod
    isForced = isEasy && swing > 0.22 && swing < 0.55
    isPedalled =
      isEasy && swing < 0.15 && swing > 5 * bounce && correlation.bounce(step) > 0.3 && correlation.swing(step) > 0.45
      && correlation.bounce(half) < 0.75 && level < 1.05 && moments.impact < 3.5 * bounce
  }

  /// Returns the logarithm of the odds that the wearer is on foot.
  func logOdds(of judgement: Network.Judgement, _ sensitivity: Pedometer.Sensitivity) -> Float {
    let onFoot = min(max(judgement[.walking] + judgement[.running], 1e-4), 0.9999)
    let odds = Approximation.logarithm(onFoot / (1 - onFoot))
    let doubt =
      judgement[.cycling] + 2 * judgement[.automotive] + (isForced ? 4 : 0) + (isPedalled ? 5 : 0)
    switch sensitivity {
    case .low: return odds - doubt - (isSlow ? 6 : 3)
    case .normal: return odds - doubt - (isSlow ? 5 : 1.5)
    case .high: return odds - doubt - 0.8
    }
  }
}
