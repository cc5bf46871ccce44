/// How alike the signal is to itself 0…63 samples (up to 2.52 s) ago, over about the last two seconds.
///
/// Each lag keeps a leaky mean of products. The swing's products are dot products of two moments, which no rotation of the
/// device changes. Every second sample is enough (measured: the same error at half the work).
struct Autocorrelation: Sendable {
  /// The number of lags, 0 included.
  static let lags = 64
  /// What a mean keeps at each update, two samples apart, for a time constant of 2 s.
  private static let kept: Float = 0.961_538_5

  private var bounceMeans = InlineArray<16, SIMD4<Float>>(repeating: .zero)
  private var swingMeans = InlineArray<16, SIMD4<Float>>(repeating: .zero)
  private var bounceRatios = InlineArray<64, Float>(repeating: 0)
  private var swingRatios = InlineArray<64, Float>(repeating: 0)
  private var bounces = InlineArray<128, Float>(repeating: 0)
  private var xs = InlineArray<128, Float>(repeating: 0)
  private var ys = InlineArray<128, Float>(repeating: 0)
  private var zs = InlineArray<128, Float>(repeating: 0)
  private var newest = 0

  /// Takes the next moment, and brings the means up to date where that is asked for.
  mutating func take(bounce: Float, swing: SIMD4<Float>, updating: Bool) {
    newest = (newest &- 1) & 63
    let p = newest
    bounces[p] = bounce
    bounces[p &+ 64] = bounce
    xs[p] = swing.x
    xs[p &+ 64] = swing.x
    ys[p] = swing.y
    ys[p &+ 64] = swing.y
    zs[p] = swing.z
    zs[p &+ 64] = swing.z
    if updating { update() }
  }

  /// Forgets the means but not the moments: what to do when the device begins to lie still.
  mutating func clear() {
    bounceMeans = InlineArray(repeating: .zero)
    swingMeans = InlineArray(repeating: .zero)
    bouncePower = 0
    swingPower = 0
  }

  private mutating func update() {
    let p = newest & 63
    let kept = Autocorrelation.kept
    let share = 1 - kept
    let bounce = bounces[p] * share
    let x = xs[p] * share
    let y = ys[p] * share
    let z = zs[p] * share
    for j in 0..<16 {
      let i = p &+ 4 &* j
      let old = SIMD4(bounces[i], bounces[i &+ 1], bounces[i &+ 2], bounces[i &+ 3])
      bounceMeans[j] = bounceMeans[j] * kept + old * bounce
      let oldX = SIMD4(xs[i], xs[i &+ 1], xs[i &+ 2], xs[i &+ 3])
      let oldY = SIMD4(ys[i], ys[i &+ 1], ys[i &+ 2], ys[i &+ 3])
      let oldZ = SIMD4(zs[i], zs[i &+ 1], zs[i &+ 2], zs[i &+ 3])
      swingMeans[j] = swingMeans[j] * kept + (oldX * x + oldY * y + oldZ * z)
    }
    bouncePower = bounceMeans[0][0]
    swingPower = swingMeans[0][0]
  }

  /// The mean square of the bounce, in g².
  private(set) var bouncePower: Float = 0
  /// The mean square of the swing, in g².
  private(set) var swingPower: Float = 0

  /// Returns the bounce's autocorrelation at a lag of 0…63 samples, relative to its power.
  mutating func bounce(_ lag: Int) -> Float { bounceRatios[lag & 63] }

  /// Returns the swing's autocorrelation at a lag of 0…63 samples, relative to its power.
  mutating func swing(_ lag: Int) -> Float { swingRatios[lag & 63] }

  /// Brings the ratios up to date with the means; to be called before they are looked at.
  mutating func relate() {
    let bounceShare = 1 / (bouncePower + 1e-9)
    let swingShare = 1 / (swingPower + 1e-9)
    for k in 0..<64 {
      bounceRatios[k] = bounceMeans[k >> 2][k & 3] * bounceShare
      swingRatios[k] = swingMeans[k >> 2][k & 3] * swingShare
    }
  }
}
