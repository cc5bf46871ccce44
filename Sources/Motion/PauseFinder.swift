/// Notices that the wearer has stopped: whether the movement of the last second and a half is still that of the walk.
///
/// Each 0.24 s a logistic regression, which learnt it from walks and stops (`PauseWeights`), gives the odds that the last
/// step lies behind, and their logarithms are summed up (a CUSUM), so that one soft step or a turn is no pause.
struct PauseFinder: Sendable {
  /// The number of features.
  static let count = 15
  /// The number of weights: one for each feature, and the constant.
  static let weightCount = 16

  /// What is looked at, in the order of the weights; the last is 1.
  struct Features: Sendable {
    /// The bounce, the impact and the swing of the last 0.48, 0.96 and 1.68 s as shares: x / (x + what the walk has).
    ///
    /// In the fourth place are, in this order, the silence since the last beat and how long it is beyond what is usual, in
    /// steps, and the share of turning.
    var short = SIMD4<Float>.zero
    var middle = SIMD4<Float>.zero
    var long = SIMD4<Float>.zero
    /// How alike bounce and swing are to themselves a step ago, how unsteady steps are, and 1.
    var rest = SIMD4<Float>.zero
  }

  /// The sum of evidence above which the wearer pauses.
  static let bound: Float = 1
  /// The share of the walk's movement, over 0.96 s, below which the body rests whatever the regression says: a seventh of
  /// its amplitude.
  private static let resting: Float = 0.02
  /// The longest silence that counts, in steps.
  private static let longestSilence: Float = 6
  /// The silence up to which a step may only be late or soft, in steps.
  private static let usualSilence: Float = 1.5
  /// dt / (τ + dt) for the mean over which the walk's movement is known: 5 s at looks of 0.24 s.
  private static let share: Float = 0.045_801_53
  /// What keeps ratios finite, in g² (summed over 0.24 s): below what sensors resolve.
  private static let least: Float = 1e-6

  /// Other weights than the trained ones, for training and its validation; nil in use.
  private let replaced: [Float]?
  /// Whether pauses are found at all: not by weights of 0, with which walks and rests are heard to learn the others.
  private let finds: Bool
  private var bounces: Float = 0
  private var impacts: Float = 0
  private var swings: Float = 0
  private var recent = InlineArray<8, SIMD4<Float>>(repeating: .zero)
  private var newest = 0
  private var short = SIMD4<Float>.zero
  private var middle = SIMD4<Float>.zero
  private var long = SIMD4<Float>.zero
  private var walk = SIMD4<Float>.zero
  private var evidence: Float = 0

  /// Makes a finder that has seen nothing, with other weights than the trained ones where they are given.
  init(weights: [Float]? = nil) {
    precondition(weights.map { $0.count == PauseFinder.weightCount } ?? true, "16 weights find pauses")
    replaced = weights
    finds = weights.map { !$0.allSatisfy { $0 == 0 } } ?? true
  }

  /// Takes the signals of the next sample.
  @inline(__always)
  mutating func take(_ signals: inout Signals) {
    let (bounce, impact) = (signals.bounce, signals.impact)
    bounces += bounce * bounce
    impacts += impact * impact
    swings += signals.swingSquare
  }

  /// Ends the 0.24 s of the last samples: `isWalking` says whether they belong to a confirmed walk.
  mutating func endHop(isWalking: Bool) {
    let sum = SIMD4(bounces, impacts, swings, 0)
    newest = (newest &- 1) & 7
    recent[newest] = sum
    short = sum + recent[(newest &+ 1) & 7]
    middle = short + (recent[(newest &+ 2) & 7] + recent[(newest &+ 3) & 7])
    long = middle + (recent[(newest &+ 4) & 7] + recent[(newest &+ 5) & 7] + recent[(newest &+ 6) & 7])
    walk = isWalking ? walk + PauseFinder.share * (sum - walk) : long * (1 / 7)
    (bounces, impacts, swings) = (0, 0, 0)
  }

  /// Whether it has to be looked closer: a walk whose bounce and swing of late are half of what they were goes on.
  var isInDoubt: Bool { evidence > 0 || short[0] < walk[0] || short[2] < walk[2] }

  /// Returns what is looked at.
  ///
  /// - Parameters:
  ///   - beatless: the samples since the last beat.
  ///   - unsteadiness: how much the time of a step changes (`PeriodFinder`).
  ///   - turning: the square of gravity's distance from its slower mean, in g².
  ///   - alike: the autocorrelations of bounce and swing at the period.
  ///   - period: the time of a step, in samples.
  /// - Returns: the features of the moment.
  @inline(__always)
  func features(beatless: Int32, unsteadiness: Float, turning: Float, alike: (Float, Float), period: Float) -> Features
  {
    let pace = 1 / period
    var features = Features()
    features.short = short / (short + (2 * walk + PauseFinder.least))
    features.middle = middle / (middle + (4 * walk + PauseFinder.least))
    features.long = long / (long + (7 * walk + PauseFinder.least))
    features.short[3] = min(Float(beatless &- Int32(BeatTracker.delay)) * pace, PauseFinder.longestSilence)
    features.middle[3] = max(features.short[3] - PauseFinder.usualSilence, 0)
    features.long[3] = turning / (turning + 0.01)
    features.rest = SIMD4(alike.0, alike.1, unsteadiness, 1)
    return features
  }

  /// Takes a look; returns whether the wearer has stopped.
  @inline(__always)
  mutating func hasStopped(_ features: Features) -> Bool {
    let sum =
      features.short * weights(0) + features.middle * weights(4) + features.long * weights(8) + features.rest
      * weights(12)
    evidence = max(0, evidence + sum.total)
    let rests = max(max(features.middle[0], features.middle[1]), features.middle[2]) < PauseFinder.resting
    return evidence > PauseFinder.bound || rests && finds
  }

  /// Forgets the evidence: the wearer does not walk, or a pause was told.
  mutating func reset() { evidence = 0 }

  @inline(__always)
  private func weights(_ i: Int) -> SIMD4<Float> {
    if let replaced { return SIMD4(replaced[i], replaced[i + 1], replaced[i + 2], replaced[i + 3]) }
    return SIMD4(
      PauseWeights.trained[i], PauseWeights.trained[i &+ 1], PauseWeights.trained[i &+ 2], PauseWeights.trained[i &+ 3])
  }
}

extension PauseFinder.Features {
  /// The features in the order of the weights, without the constant.
  var values: [Float] { [short, middle, long, rest].flatMap { [$0[0], $0[1], $0[2], $0[3]] }.dropLast() }
}
