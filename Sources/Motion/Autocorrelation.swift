/// How alike the signal is to itself 0…63 samples (up to 2.52 s) ago, over about the last two seconds.
///
/// Each lag keeps a leaky mean of products. The swing's products are dot products of two moments, which no rotation of the
/// device changes. Every second sample is enough (measured: the same error at half the work).
struct Autocorrelation: Sendable {
  /// The number of lags, 0 included.
  static let lags = 64
  /// What a mean keeps at each update, two samples apart, for a time constant of 2 s.
  private static let kept: Float = 0.961_538_5
  /// What a mean keeps when a walk has ended.
  private static let faded: Float = 0.5

  /// The moments kept: those of all lags from the newest and from four samples before it, and room to go on before
  /// they have to be moved: 32 times.
  private static let room = 100
  private static let needed = 68

  private var bounceMeans = InlineArray<16, SIMD4<Float>>(repeating: .zero)
  private var swingMeans = InlineArray<16, SIMD4<Float>>(repeating: .zero)
  // The newest moment lies first, so that what was k samples ago is found k places on.
  private var bounces = InlineArray<100, Float>(repeating: 0)
  private var xs = InlineArray<100, Float>(repeating: 0)
  private var ys = InlineArray<100, Float>(repeating: 0)
  private var zs = InlineArray<100, Float>(repeating: 0)
  private var newest = Autocorrelation.room - Autocorrelation.needed
  /// The moments, two samples apart, that are not yet in the means.
  private var pending = 0

  /// The mean square of the bounce, in g².
  private(set) var bouncePower: Float = 0
  /// The mean square of the swing, in g².
  private(set) var swingPower: Float = 0
  /// What the means are multiplied by to be relative to the powers.
  private(set) var bounceShare: Float = 0
  private(set) var swingShare: Float = 0

  /// Takes the next moment, and notes it for the means where that is asked for: each second time.
  mutating func take(bounce: Float, swing: SIMD4<Float>, updating: Bool) {
    if newest == 0 { makeRoom() }
    newest = (newest &- 1) & 31
    bounces[newest] = bounce
    xs[newest] = swing.x
    ys[newest] = swing.y
    zs[newest] = swing.z
    guard updating else { return }
    bouncePower = bouncePower * Autocorrelation.kept + bounce * (bounce * (1 - Autocorrelation.kept))
    pending &+= 1
    if pending == 3 { update() }
  }

  /// Forgets the means but not the moments: what to do when the device begins to lie still.
  mutating func clear() {
    bounceMeans = InlineArray(repeating: .zero)
    swingMeans = InlineArray(repeating: .zero)
    bouncePower = 0
    swingPower = 0
    pending = 0
  }

  /// Lets the past count much less than what comes: what to do when a walk has ended.
  mutating func fade() {
    for j in 0..<16 {
      bounceMeans[j] *= Autocorrelation.faded
      swingMeans[j] *= Autocorrelation.faded
    }
    bouncePower *= Autocorrelation.faded
    swingPower *= Autocorrelation.faded
  }

  /// Moves the moments that are still needed to the end.
  private mutating func makeRoom() {
    let shift = Autocorrelation.room - Autocorrelation.needed
    for j in (0..<Autocorrelation.needed / 4).reversed() {
      bounces.move(four: 4 &* j, by: shift)
      xs.move(four: 4 &* j, by: shift)
      ys.move(four: 4 &* j, by: shift)
      zs.move(four: 4 &* j, by: shift)
    }
    newest = shift
  }

  /// Brings the means up to date, with up to three moments at once: what a mean keeps is then looked up once for all.
  private mutating func update() {
    guard pending > 0 else { return }
    let kept = Autocorrelation.kept
    let share = 1 - kept
    // The moments four, two and no samples ago; those that are in the means already count nothing.
    let oldest = pending > 2 ? share * kept * kept : 0
    let older = pending > 1 ? share * kept : 0
    let keeping = pending > 2 ? kept * kept * kept : pending > 1 ? kept * kept : kept
    pending = 0
    let p = newest & 31
    let bounce = (bounces[p] * share, bounces[p &+ 2] * older, bounces[p &+ 4] * oldest)
    let x = (xs[p] * share, xs[p &+ 2] * older, xs[p &+ 4] * oldest)
    let y = (ys[p] * share, ys[p &+ 2] * older, ys[p &+ 4] * oldest)
    let z = (zs[p] * share, zs[p &+ 2] * older, zs[p &+ 4] * oldest)
    for j in 0..<16 {
      let i = p &+ 4 &* j
      var mean = bounceMeans[j] * keeping
      mean +=
        bounces.four(from: i &+ 4) * bounce.2 + bounces.four(from: i &+ 2) * bounce.1 + bounces.four(from: i) * bounce.0
      bounceMeans[j] = mean
      mean = swingMeans[j] * keeping
      mean += xs.four(from: i &+ 4) * x.2 + ys.four(from: i &+ 4) * y.2 + zs.four(from: i &+ 4) * z.2
      mean += xs.four(from: i &+ 2) * x.1 + ys.four(from: i &+ 2) * y.1 + zs.four(from: i &+ 2) * z.1
      mean += xs.four(from: i) * x.0 + ys.four(from: i) * y.0 + zs.four(from: i) * z.0
      swingMeans[j] = mean
    }
  }

  /// Brings all up to date with the moments so far; to be called before anything is looked at.
  mutating func relate() {
    update()
    swingPower = swingMeans[0][0]
    bounceShare = 1 / (bouncePower + 1e-9)
    swingShare = 1 / (swingPower + 1e-9)
  }

  /// Returns the bounce's autocorrelation at a lag of 0…63 samples, relative to its power.
  mutating func bounce(_ lag: Int) -> Float { bounceMeans[(lag >> 2) & 15][lag & 3] * bounceShare }

  /// Returns the swing's autocorrelation at a lag of 0…63 samples, relative to its power.
  mutating func swing(_ lag: Int) -> Float { swingMeans[(lag >> 2) & 15][lag & 3] * swingShare }

  /// Returns the bounce's lowest autocorrelation at lags from 2 samples up to, but not including, another.
  mutating func lowestBounce(before end: Int) -> Float {
    var lowest = Float.infinity
    for lag in 2..<end { lowest = min(lowest, bounceMeans[(lag >> 2) & 15][lag & 3]) }
    return lowest * bounceShare
  }

  /// Returns the swing's lowest autocorrelation at lags from 2 samples up to, but not including, another.
  mutating func lowestSwing(before end: Int) -> Float {
    var lowest = Float.infinity
    for lag in 2..<end { lowest = min(lowest, swingMeans[(lag >> 2) & 15][lag & 3]) }
    return lowest * swingShare
  }

  // Four lags at once, from 4·j on, in g² and not relative to the powers.

  /// Returns the bounce's mean products at four lags; j is below 16.
  @inline(__always)
  mutating func bounces(_ j: Int) -> SIMD4<Float> { bounceMeans[j & 15] }

  /// Returns the swing's mean products at four lags; j is below 16.
  @inline(__always)
  mutating func swings(_ j: Int) -> SIMD4<Float> { swingMeans[j & 15] }

  /// Returns the bounce's mean products at twice each of four lags; j is below 8.
  @inline(__always)
  mutating func bounces(twice j: Int) -> SIMD4<Float> {
    SIMD8(lowHalf: bounceMeans[(2 &* j) & 15], highHalf: bounceMeans[(2 &* j &+ 1) & 15]).evenHalf
  }

  /// Returns the swing's mean products at twice each of four lags; j is below 8.
  @inline(__always)
  mutating func swings(twice j: Int) -> SIMD4<Float> {
    SIMD8(lowHalf: swingMeans[(2 &* j) & 15], highHalf: swingMeans[(2 &* j &+ 1) & 15]).evenHalf
  }
}
