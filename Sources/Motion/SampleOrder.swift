/// Puts the samples' times right before anything is computed from them.
///
/// Devices repeat stamps, let them go back, and hand over late samples in a bunch that all carry the time of the handing
/// over. The first two kinds are dropped. A bunch is known by the hole before it, and spread over that hole: so a sample
/// after a hole is kept back until the next one tells whether it is alone.
struct SampleOrder: Sendable {
  /// The most samples of a bunch that are spread.
  private static let capacity = 16
  /// A hole is longer than this, and a bunch denser than that, in mean intervals.
  private static let hole = 1.8
  private static let bunch = 0.3
  /// The samples in a row with times before the newest that are taken for a clock set back.
  private static let mostReversed = 8
  /// The longest hole that is bridged between the samples of a slow source, in s.
  private static let longestBridge = 0.8
  /// The time over which the quality is judged, in s.
  private static let judging = 10.0

  /// A sample that may be used.
  struct Item {
    /// The sample's time, put right, in s.
    var time = 0.0
    /// The acceleration, in g.
    var acceleration = SIMD4<Float>.zero
    /// Whether a new signal begins with it.
    var begins = false
  }

  /// What was found wrong.
  private(set) var quality = SignalQuality()

  private var ready = InlineArray<32, Item>(repeating: Item())
  private var readyCount = 0
  private var taken = 0
  private var held = InlineArray<16, Item>(repeating: Item())
  private var heldCount = 0

  private var newest = -Double.infinity
  private var released = -Double.infinity
  private var interval = 0.0
  private var intervals = 0
  private var reversedInRow = 0
  private var previous = SIMD4<Float>.zero
  private var since = SignalQuality()
  private var sinceTime = 0.0

  /// Takes a sample; drain with `next()` before the next one.
  mutating func take(_ sample: AccelerometerSample) {
    readyCount = 0
    taken = 0
    let acceleration = SIMD4(sample.x, sample.y, sample.z, 0)
    let size = acceleration * acceleration
    guard size.sum() < 10_000, sample.time.isFinite else {  // false for NaN, too
      quality.invalid += 1
      return
    }
    let passed = sample.time - newest
    if passed < 0, reversedInRow < SampleOrder.mostReversed {
      quality.reversed += 1
      reversedInRow += 1
      return
    }
    reversedInRow = 0
    if size.max() > 3.61, any((acceleration .== previous) .& (size .> 3.61)) { quality.saturated += 1 }
    previous = acceleration
    newest = sample.time
    if passed >= 0, passed <= SampleOrder.longestBridge {
      intervals = min(intervals + 1, 64)
      interval += (passed - interval) / Double(intervals)
    }
    if passed < 0 || passed > longestGap {
      flush()
      restart(at: sample.time)
      release(Item(time: sample.time, acceleration: acceleration, begins: true))
      return
    }
    place(Item(time: sample.time, acceleration: acceleration))
    if sample.time - sinceTime > SampleOrder.judging { judge(at: sample.time) }
  }

  /// Returns the next sample to use, or nil when another one has to be taken first.
  mutating func next() -> Item? {
    guard taken < readyCount else { return nil }
    taken += 1
    return ready[(taken - 1) & 31]
  }

  /// Lets go of what is kept back: the signal ends.
  mutating func finish() {
    readyCount = 0
    taken = 0
    flush()
  }

  /// The longest hole that is bridged, in s: slow sources may hand over seven samples late, too.
  private var longestGap: Double { min(max(Resampler.longestGap, 8 * interval), SampleOrder.longestBridge) }

  private mutating func place(_ item: Item) {
    if heldCount > 0 {
      let gap = item.time - held[(heldCount - 1) & 15].time
      if gap < SampleOrder.bunch * interval, heldCount < SampleOrder.capacity {
        held[heldCount & 15] = item
        heldCount += 1
        return
      }
      flush()
    }
    let gap = item.time - released
    if gap <= 0 {
      quality.repeated += 1
    } else if gap > SampleOrder.hole * interval, intervals >= 16 {
      held[0] = item
      heldCount = 1
    } else {
      release(item)
    }
  }

  private mutating func flush() {
    guard heldCount > 0 else { return }
    if heldCount == 1 {
      release(held[0])
    } else {
      let start = released
      let step = (held[(heldCount - 1) & 15].time - start) / Double(heldCount)
      quality.respaced += heldCount
      for i in 0..<heldCount {
        var item = held[i & 15]
        item.time = start + step * Double(i + 1)
        release(item)
      }
    }
    heldCount = 0
  }

  private mutating func release(_ item: Item) {
    released = item.time
    ready[readyCount & 31] = item
    readyCount += 1
    quality.samples += 1
  }

  private mutating func restart(at time: Double) {
    quality.gaps += 1
    if quality.gaps == 1 {
      sinceTime = time
      since = quality
    }
  }

  private mutating func judge(at time: Double) {
    let all = Float(quality.samples - since.samples)
    let dropped = Float(quality.repeated + quality.reversed - since.repeated - since.reversed)
    let invalid = Float(quality.invalid - since.invalid)
    let respaced = Float(quality.respaced - since.respaced)
    let clipped = Float(quality.saturated - since.saturated)
    quality.rate = interval > 0 ? Float(1 / interval) : 0
    var found: SignalQuality.Degradation = []
    if quality.rate < 9.5 { found.insert(.slow) }
    let expected = Float(time - sinceTime) * quality.rate
    if all < 0.8 * expected || invalid > 0.2 * (all + invalid) { found.insert(.incomplete) }
    if dropped + respaced > 0.2 * (all + dropped) { found.insert(.disordered) }
    if clipped > 0.02 * all { found.insert(.saturated) }
    quality.degradation = found
    since = quality
    sinceTime = time
  }
}
