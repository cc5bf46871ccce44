/// What the wearer does, from the network's judgement of each look: a hidden Markov model's forward filter.
///
/// A look says little and activities last, so the filter gives a look little weight and rarely lets an activity change. On
/// foot it is overruled by the gate, which is quicker and surer.
struct ActivityFilter: Sendable {
  /// The states, in the order of `Network.Class` (its last class, other, is none).
  private static let states = 5
  /// By what the network's probabilities are divided: the share of each state among the frames that it was trained on,
  /// relative to walking (2, 1, 1, 0.8, 0.2), less for those in which a device hardly ever lies still.
  ///
  /// The network is not asked while the device lies still, which says as much: a phone on a table or in the pocket of a
  /// person at rest moves by less than 0.01 g three quarters of the time, a train's a quarter, a car's never (measured).
  private static var priors: SIMD8<Float> { SIMD8(2, 1, 1, 0.24, 0.06, 1, 1, 1) }
  /// What a look of 0.48 s counts: looks overlap, and err in the same way for many seconds.
  private static let trust: Float = 0.05
  /// The probability that a state lasts until the next look: activities last minutes, vehicles longest.
  private static var stay: SIMD8<Float> { SIMD8(0.998, 0.998, 0.998, 0.999, 0.9998, 0, 0, 0) }
  /// What a look at a device that lies still makes of each state's belief, relative to stationary.
  private static var lyingStill: SIMD8<Float> { SIMD8(1, 0.4, 0.4, 0.565, 0.8, 0, 0, 0) }
  /// The looks in a row, still or not, after which the device is taken to lie still, or to move (2.4 s).
  private static let settling = 5
  /// dt / (τ + dt) for the mean by which running is told from walking: 2.4 s at looks of 0.48 s.
  private static let footShare: Float = 0.166_667

  /// What is believed after a walk: people stop more often than they mount something, or go on after all.
  private static var afterWalking: SIMD8<Float> { SIMD8(0.4, 0.5, 0, 0.05, 0.05, 0, 0, 0) }
  /// The belief that an activity needs to be said.
  private static let sayable: Float = 0.6
  /// The doubt, what is missing from certainty, at which confidence is medium, or high; and how much of it that confidence bears.
  ///
  /// Confidence is to grow and not to flicker. Beliefs are too sure of themselves, hence the small doubts (measured).
  private static let mediumDoubt: (most: Float, held: Float) = (0.015, 0.045)
  private static let highDoubt: (most: Float, held: Float) = (0.006, 0.008)
  /// How certain the gate has to be for high, or medium, confidence, and for it to last.
  private static let surely: (least: Float, held: Float) = (0.9, 0.6)
  private static let likely: (least: Float, held: Float) = (0.6, 0.4)
  /// The belief from which on a state is dated.
  private static let dated: Float = 0.2

  private var beliefs = SIMD8<Float>(0.55, 0.25, 0.05, 0.1, 0.05, 0, 0, 0)
  private var since = InlineArray<5, Double>(repeating: 0)
  private var isDated = false
  private var running: Float = 0
  private var looks = 0
  private var isStill = true
  private var contrary = 0
  private var said: MotionActivity?
  private var unsaidFor = 0

  /// What a look makes of each state's belief.
  private static func likelihoods(of judgement: SIMD8<Float>) -> SIMD8<Float> {
    var probabilities = judgement
    probabilities[0] += probabilities[5]  // hands at work are not on the way
    let least = SIMD8<Float>(repeating: 0.001)
    probabilities.replace(with: least, where: probabilities .< least)
    return Approximation.exponential(trust * Approximation.logarithm(probabilities / priors))
  }

  /// Takes a look's judgement, nil while the device lies still.
  mutating func take(_ judgement: Network.Judgement?) {
    let likelihoods = judgement.map { ActivityFilter.likelihoods(of: $0.probabilities) } ?? ActivityFilter.lyingStill
    var sum: Float = 0
    for i in 0..<ActivityFilter.states {
      let leave = beliefs[i] * (1 - ActivityFilter.stay[i])
      beliefs[i] -= leave
      for j in 0..<ActivityFilter.states where j != i { beliefs[j] += leave * 0.25 }
    }
    for i in 0..<ActivityFilter.states {
      beliefs[i] *= likelihoods[i]
      sum += beliefs[i]
    }
    beliefs /= sum
    if let judgement {
      let onFoot = judgement[.walking] + judgement[.running]
      if onFoot > 0.1 { running += ActivityFilter.footShare * (judgement[.running] / onFoot - running) }
    }
    looks += 1
    contrary = (judgement == nil) == isStill ? 0 : contrary + 1
    if contrary >= ActivityFilter.settling { isStill.toggle() }
  }

  /// How strongly it is believed that the wearer rides: a bicycle counts five times, since pedalling looks like steps.
  var riding: Float { 5 * beliefs[3] + beliefs[4] }

  /// Whether the wearer runs, if on foot.
  var isRunning: Bool { running > 0.5 }

  /// Takes note that a walk has ended.
  mutating func pause() {
    beliefs = ActivityFilter.afterWalking
    if isRunning {
      beliefs[2] = beliefs[1]
      beliefs[1] = 0
    }
  }

  /// Returns the activity at a time when it differs from the one said last, or is surer or less sure by now.
  ///
  /// - Parameters:
  ///   - time: now, in s.
  ///   - onFoot: when the wearer began to walk, and how certain that is (0…1), while they do.
  /// - Returns: the activity, or nil when it is none or the same.
  mutating func update(at time: Double, onFoot: (since: Double, certainty: Float)?) -> MotionActivity? {
    if !isDated {
      isDated = true
      since = InlineArray(repeating: time)
    }
    for i in 0..<ActivityFilter.states where beliefs[i] < ActivityFilter.dated { since[i] = time }
    guard looks > 4 || onFoot != nil, let estimate = estimate(onFoot) else { return nil }
    guard let said, estimate.flags == said.flags else { return say(estimate, at: time) }
    // A confidence has to last for some time, or it would flicker.
    unsaidFor = estimate.confidence == said.confidence ? 0 : unsaidFor + 1
    guard unsaidFor >= 2 * ActivityFilter.settling else { return nil }
    return say(MotionActivity(said.flags, confidence: estimate.confidence, start: said.start), at: time)
  }

  /// What goes on; nil while nothing is likely enough to be said first.
  private mutating func estimate(_ onFoot: (since: Double, certainty: Float)?) -> MotionActivity? {
    if let onFoot {
      let flags: MotionActivity.Flags = isRunning ? .running : .walking
      return MotionActivity(flags, confidence: confidence(onFoot: onFoot.certainty), start: onFoot.since)
    }
    var best = 0
    for i in 1..<ActivityFilter.states where beliefs[i] > beliefs[best] { best = i }
    if beliefs[best] < ActivityFilter.sayable {
      guard let said else { return nil }
      for i in 0..<ActivityFilter.states where said.flags.contains(MotionActivity.Flags(rawValue: 1 << UInt8(i))) {
        best = i  // the last of its flags is the one that was said, as stationary comes first
      }
    }
    var flags = MotionActivity.Flags(rawValue: 1 << UInt8(best))
    if best == Network.Class.automotive.rawValue, isStill { flags.insert(.stationary) }
    return MotionActivity(flags, confidence: confidence(beliefs[best]), start: since[best])
  }

  private func confidence(_ belief: Float) -> MotionActivity.Confidence {
    let (medium, high) = (ActivityFilter.mediumDoubt, ActivityFilter.highDoubt)
    let before = said?.confidence
    if 1 - belief <= (before == .high ? high.held : high.most) { return .high }
    return 1 - belief <= (before == .low ? medium.most : medium.held) ? .medium : .low
  }

  private func confidence(onFoot certainty: Float) -> MotionActivity.Confidence {
    let (surely, likely) = (ActivityFilter.surely, ActivityFilter.likely)
    if certainty >= (said?.confidence == .high ? surely.held : surely.least) { return .high }
    return certainty >= (said?.confidence == .low ? likely.least : likely.held) ? .medium : .low
  }

  private mutating func say(_ activity: MotionActivity, at time: Double) -> MotionActivity {
    var activity = activity
    activity.start = min(max(activity.start, said?.start ?? activity.start), time)
    said = activity
    unsaidFor = 0
    return activity
  }
}
