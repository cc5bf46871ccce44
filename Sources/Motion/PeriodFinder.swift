/// The time that a step takes now, from the autocorrelations.
struct PeriodFinder: Sendable {
  /// The shortest and the longest period looked at, in samples of 40 ms: 250 down to 39 steps/min.
  static let shortest = 6
  static let longest = 38

  /// The period in samples, refined between them.
  private(set) var period: Float = 13.8
  /// Whether steps are as fast as in running: 143 a minute and more.
  var isFast: Bool { period < 10.5 }
  private var isRunning = false
  private var priors = PeriodFinder.priors(around: PeriodFinder.walking)
  /// How much the signal speaks for it, −1…1.
  private(set) var score: Float = 0
  /// The leaky mean of |Δ ln period| from one look to the next (time constant 2 s): small for a steady gait.
  private(set) var unsteadiness: Float = 0.3

  /// ln k for k = 0…63 (0 for k = 0).
  static let logarithms: InlineArray<64, Float> = [
    0.000000, 0.000000, 0.693147, 1.098612, 1.386294, 1.609438, 1.791759, 1.945910, 2.079442, 2.197225, 2.302585,
    2.397895, 2.484907, 2.564949, 2.639057, 2.708050, 2.772589, 2.833213, 2.890372, 2.944439, 2.995732, 3.044522,
    3.091042, 3.135494, 3.178054, 3.218876, 3.258097, 3.295837, 3.332205, 3.367296, 3.401197, 3.433987, 3.465736,
    3.496508, 3.526361, 3.555348, 3.583519, 3.610918, 3.637586, 3.663562, 3.688879, 3.713572, 3.737670, 3.761200,
    3.784190, 3.806662, 3.828641, 3.850148, 3.871201, 3.891820, 3.912023, 3.931826, 3.951244, 3.970292, 3.988984,
    4.007333, 4.025352, 4.043051, 4.060443, 4.077537, 4.094345, 4.110874, 4.127134, 4.143135,
  ]

  /// Returns ln k of four k in a row, of which the first is a multiple of 4 below 64.
  @inline(__always)
  static func logarithms(of k: Int) -> SIMD4<Float> {
    let i = k & 60
    return SIMD4(logarithms[i], logarithms[i &+ 1], logarithms[i &+ 2], logarithms[i &+ 3])
  }

  /// The logarithms of the usual periods of walking (0.552 s) and running (0.37 s), in samples.
  ///
  /// They and the bounce's mean square that tells the two apart (0.337 g, squared) were measured on recordings.
  private static let walking: Float = 2.624_669
  private static let running: Float = 2.224_624
  private static let runningPower: Float = 0.113_569

  /// Looks again; to be called every 0.24 s.
  ///
  /// Where the wearer is taken for running a step is expected to take as long as in running: many runners move a watch or a
  /// pocket less than the power says, and their strides look like slow steps.
  mutating func update(_ correlation: inout Autocorrelation, isOnTheRun: Bool = false) {
    let runs = isOnTheRun || correlation.bouncePower > PeriodFinder.runningPower
    if runs != isRunning {
      isRunning = runs
      priors = PeriodFinder.priors(around: runs ? PeriodFinder.running : PeriodFinder.walking)
    }
    var scores = InlineArray<11, SIMD4<Float>>(repeating: .zero)
    let step = correlation.bounceShare * (1 / 4.07)
    let stride = correlation.bounceShare * (1.87 / 4.07)
    let swing = correlation.swingShare * (1.2 / 4.07)
    for j in 1..<8 {
      scores[j] =
        correlation.bounces(j) * step + correlation.bounces(twice: j) * stride + correlation.swings(twice: j) * swing
        - priors[j]
    }
    // Beyond the longest lag that is kept the step has to stand for the stride, at a discount.
    for j in 8..<10 { scores[j] = correlation.bounces(j) * (3.6 * step) - priors[j] }
    let best = PeriodFinder.highestMaximum(&scores)
    guard best > 0 else {
      score = 0
      unsteadiness += 0.107 * (0.3 - unsteadiness)
      return
    }
    score = scores[best >> 2][best & 3]
    let (before, after) = (scores[(best - 1) >> 2][(best - 1) & 3], scores[(best + 1) >> 2][(best + 1) & 3])
    var refined = Float(best) + PeriodFinder.vertex(before, score, after)
    if let half = half(of: best, &correlation) {
      refined = half
    }
    let change = abs(Approximation.logarithm(refined / period))
    unsteadiness += 0.107 * (min(change, 1) - unsteadiness)
    period = refined
  }

  /// How unlikely each period from 4 to 39 samples is, by its logarithm's distance from that of a usual one.
  private static func priors(around usual: Float) -> InlineArray<10, SIMD4<Float>> {
    InlineArray { j in
      let far = (logarithms(of: 4 * j) - usual) * (1 / 0.30)
      return 0.1 * (far * far).lower(SIMD4(repeating: 5))
    }
  }

  /// The place of the highest local maximum from the shortest to the longest period; 0 without one.
  private static func highestMaximum(_ scores: inout InlineArray<11, SIMD4<Float>>) -> Int {
    // What lies beyond the shortest and the longest period is a neighbour only.
    let lowest = SIMD4<Float>(repeating: -.infinity)
    var highest = Highest(above: -.infinity, from: 4)
    var here = scores[1]
    var before = SIMD4(.infinity, .infinity, here[1], here[2])
    for j in 1..<10 {
      let next = scores[j + 1]
      var after = here.after(followedBy: next)
      if j == 9 { after[3] = .infinity }
      highest.take(lowest.replacing(with: here, where: (here .>= before) .& (here .>= after)))
      before = next.before(following: here)
      here = next
    }
    return highest.result.place
  }

  /// The half of a period where the bounce repeats there clearly better: then each step was taken for two.
  private func half(of best: Int, _ correlation: inout Autocorrelation) -> Float? {
    var at = 0
    var k = max(PeriodFinder.shortest, best / 2 - 1)
    while k <= max(PeriodFinder.shortest, (best + 1) / 2 + 1) {
      if at == 0 || correlation.bounce(k) > correlation.bounce(at) { at = k }
      k += 1
    }
    guard at < best - 3, correlation.bounce(at) > 0.15, correlation.bounce(at) > 1.1 * correlation.bounce(best) else {
      return nil
    }
    let shift = PeriodFinder.vertex(correlation.bounce(at - 1), correlation.bounce(at), correlation.bounce(at + 1))
    return Float(at) + shift
  }

  /// Where a parabola through three neighbouring values has its vertex, −½…½ from the middle one.
  static func vertex(_ before: Float, _ middle: Float, _ after: Float) -> Float {
    let bend = before - 2 * middle + after
    guard bend < -1e-9 else { return 0 }
    return min(max(0.5 * (before - after) / bend, -0.5), 0.5)
  }
}
