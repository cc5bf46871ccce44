/// Finds the steps: the chain of beats, about a period apart, that climbs the highest maxima.
///
/// Dynamic programming after D. Ellis, "Beat tracking by dynamic programming", Journal of New Music Research 36, 2007.
struct BeatTracker: Sendable {
  /// The number of past samples kept, 20 s: the longest that a bout may take to be confirmed.
  static let kept = 512
  /// The samples by which the chain is behind now: 12 of the low-pass, 8 for the minimum after a beat.
  static let delay = 20

  private var beats = InlineArray<512, Float>(repeating: 0)
  private var steps = InlineArray<512, UInt8>(repeating: 0)
  private var scores = InlineArray<128, Float>(repeating: 0)
  private var penalties = InlineArray<16, SIMD4<Float>>(repeating: .zero)
  private var power: Float = 0
  private var firstFour = 2
  private var lastFour = 6
  private var since: Int32 = 0
  private var period: Float = 13.8

  /// Sets the time that a step takes, in samples.
  mutating func setPeriod(_ period: Float) {
    self.period = period
    let nearest = max(Int(period * 0.57 + 0.5), 4)
    let farthest = min(Int(period * 1.85), 63)
    firstFour = nearest >> 2
    lastFour = farthest >> 2
    let logarithm = Approximation.logarithm(period)
    for four in firstFour...max(lastFour, firstFour) {
      let far = PeriodFinder.logarithms(of: four &* 4) - logarithm
      penalties[four & 15] = -4 * far * far
    }
    for k in firstFour &* 4..<nearest { penalties[firstFour & 15][k & 3] = -1e9 }
    for k in farthest &+ 1..<lastFour &* 4 &+ 4 { penalties[lastFour & 15][k & 3] = -1e9 }
  }

  /// Takes the beat signal's value 12 samples ago, and lengthens the chain up to 20 samples ago.
  mutating func take(_ beat: Float, now: Int32) {
    beats[Int(now &- 12) & 511] = beat
    power += 0.019_607_84 * (beat * beat - power)
    let deviation = power.squareRoot() + 0.004
    let at = Int(now &- 20)
    // Scores lie backwards and twice, so that those k samples ago are found k places on without a seam.
    let first = (0 &- at) & 63
    // The place of a score, as 63 − k, stands in its last six bits, which weigh four millionths of it: so one maximum
    // finds both, and of equal scores the nearest.
    var best = SIMD4<Float>.zero
    var places = SIMD4<UInt32>(63, 62, 61, 60) &- UInt32(truncatingIfNeeded: firstFour &* 4)
    var four = firstFour
    while four <= lastFour {
      let j = four & 15
      let score = 0.975 * scores.four(from: first &+ 4 &* j) + penalties[j]
      let placed = unsafe unsafeBitCast(score, to: SIMD4<UInt32>.self) & ~63 | places
      best = unsafe unsafeBitCast(placed, to: SIMD4<Float>.self).higher(best)
      places &-= 4
      four &+= 1
    }
    let highest = best.highest
    let step = highest > 0 ? 63 &- Int(highest.bitPattern & 63) : 0
    let climbed = highest > 0 ? 0.975 * scores[(first &+ step) & 127] + penalties[(step >> 2) & 15][step & 3] : 0
    let score = beats[at & 511] / deviation + climbed
    scores[first] = score
    scores[first &+ 64] = score
    steps[at & 511] = UInt8(truncatingIfNeeded: step)
  }

  /// Forgets the chain and the past: a new signal begins at this sample.
  mutating func reset(at now: Int32) {
    beats = InlineArray(repeating: 0)
    steps = InlineArray(repeating: 0)
    scores = InlineArray(repeating: 0)
    power = 0
    since = now
  }

  /// Takes note that all samples have numbers now that are lower by some, a multiple of 512.
  mutating func renumber(by era: Int32) { since = max(since, 0) &- era }

  /// A chain of beats, oldest first.
  struct Chain {
    /// The most beats a chain can hold.
    static let capacity = 96
    /// The beats' samples.
    var samples = InlineArray<96, Int32>(repeating: 0)
    /// The beats' heights over the minima around them, in g.
    var heights = InlineArray<96, Float>(repeating: 0)
    /// The number of beats.
    var count = 0
  }

  /// Returns the sample of the last beat of the best chain that ends now, if that lies after a sample.
  mutating func lastBeat(after limit: Int32, now: Int32) -> Int32? {
    let newest = now &- 20
    var at = newest
    var best = -Float.infinity
    for back in 0..<Int32(max(period, 1)) {
      let score = scores[Int(back &- newest) & 63]
      if score > best {
        best = score
        at = newest &- back
      }
    }
    return at > oldest(after: limit, now: now) ? at : nil
  }

  private func oldest(after limit: Int32, now: Int32) -> Int32 { max(limit, max(since, now &- 500)) }

  /// Traces the best chain from its last beat back to the first one after a sample.
  mutating func trace(_ chain: inout Chain, from last: Int32, after limit: Int32, now: Int32) {
    let oldest = oldest(after: limit, now: now)
    var at = last
    // Traced backwards, and turned about in the place.
    var count = 0
    while at > oldest, count < Chain.capacity {
      chain.samples[count] = at
      count += 1
      let step = Int32(steps[Int(at) & 511])
      if step == 0 { break }
      at &-= step
    }
    for i in 0..<count / 2 { chain.samples.swapAt(i, count - 1 - i) }
    for i in 0..<count { chain.heights[i] = height(at: chain.samples[i], now: now) }
    chain.count = count
  }

  /// How far a beat stands above the mean of the minima within half a period before and after it, in g.
  private mutating func height(at sample: Int32, now: Int32) -> Float {
    let reach = Int32(period * 0.5 + 0.5)
    var before = beats[Int(sample) & 511]
    var after = before
    for k in 1...max(reach, 1) {
      before = min(before, beats[Int(sample &- k) & 511])
      if sample &+ k <= now &- 12 { after = min(after, beats[Int(sample &+ k) & 511]) }
    }
    return beats[Int(sample) & 511] - 0.5 * (before + after)
  }
}
