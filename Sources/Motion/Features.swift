/// The 29 numbers by which the network judges the last seconds.
///
/// None of them depends on the device's orientation; most do not depend on the movement's strength either.
struct Features: Sendable {
  /// The number of features.
  static let count = 29

  /// The values, in the order of `init`; the last three are unused.
  private(set) var values = InlineArray<32, Float>(repeating: 0)

  /// Makes the features of a moment.
  ///
  /// The constants that keep logarithms finite (10⁻⁷ g² on energies, 0.01 on the steadiness, 0.001 on ratios) lie below what
  /// sensors resolve.
  init(_ correlation: inout Autocorrelation, _ period: PeriodFinder, _ moments: Moments, level: Float) {
    let power = correlation.bouncePower + 1e-7
    let swing = correlation.swingPower + 1e-7
    let k = period.period
    let whole = Int(k + 0.5)
    let logarithms = Approximation.logarithm(
      SIMD8(
        power, swing, k, period.unsteadiness + 0.01, moments.impact / power + 0.001, moments.turning / power + 0.001,
        moments.change + 1e-7, 1))
    values[0] = 0.5 * logarithms[0]
    values[1] = 0.5 * logarithms[1]
    values[2] = correlation.bounce(whole)
    values[3] = correlation.swing(whole)
    values[4] = correlation.bounce(Int(2 * k + 0.5))
    values[5] = correlation.swing(Int(2 * k + 0.5))
    values[6] = correlation.bounce(Int(0.5 * k + 0.5))
    values[7] = correlation.swing(Int(0.5 * k + 0.5))
    values[8] = correlation.bounce(Int(1.5 * k + 0.5))
    values[9] = correlation.swing(Int(1.5 * k + 0.5))
    values[10] = logarithms[2]
    values[11] = period.score
    values[12] = logarithms[3]
    values[13] = logarithms[4]
    values[14] = logarithms[5]
    values[15] = moments.vertical / (moments.swing + 1e-7)
    values[16] = level - 1
    let fourthRoot = (moments.fourth + 1e-12).squareRoot().squareRoot()
    values[17] = moments.third / (fourthRoot * fourthRoot * fourthRoot)
    values[18] = moments.peak / power.squareRoot()
    values[19] = moments.maxima * k
    values[20] = min(1, correlation.lowestBounce(before: max(whole, 3)))
    values[21] = min(1, correlation.lowestSwing(before: max(2 * whole, 3)))
    values[22] = 0.5 * logarithms[6]
    let (height, lag) = Features.highestPeak(&correlation)
    values[23] = height
    values[24] = PeriodFinder.logarithms[lag & 63]
    values[25] = values[24] - logarithms[2]
    values[26] = correlation.bounce(5)
    values[27] = correlation.swing(5)
    values[28] = correlation.swing(3)
  }

  /// Four values from an index on.
  @inline(__always)
  mutating func four(from i: Int) -> SIMD4<Float> { values.four(from: i) }

  /// The highest local maximum of the swing's autocorrelation over lags of 8…59 samples, and its lag; (0, 60) without one.
  private static func highestPeak(_ correlation: inout Autocorrelation) -> (height: Float, lag: Int) {
    var highest = Highest(above: 0, from: 8)
    for j in 2..<15 {
      let here = correlation.swings(j)
      let before = here.before(following: correlation.swings(j &- 1))
      let after = here.after(followedBy: correlation.swings(j &+ 1))
      highest.take(SIMD4<Float>.zero.replacing(with: here, where: (here .>= before) .& (here .>= after)))
    }
    let (height, lag) = highest.result
    return height > 0 ? (height * correlation.swingShare, lag) : (0, 60)
  }
}
