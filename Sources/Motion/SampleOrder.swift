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
  /// The square of what an axis of a sensor of ±2 g gives at the end of its range (1.9 g), in g².
  private static let full: Float = 3.61
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

  /// The samples after a hole that may be a bunch.
  private var held = InlineArray<16, AccelerometerSample>(repeating: .init(time: 0, x: 0, y: 0, z: 0))
  private var heldCount = 0
  /// The held samples that have to be handed over before what came last, how many of them were, and over what they are spread.
  private var flushing = 0
  private var flushed = 0
  private var flushedFrom = 0.0
  private var flushedStep = 0.0
  /// The sample that came last, and what becomes of it.
  private var last = Item()
  private var fate = Fate.dropped

  private enum Fate {
    /// It was handed over, dropped, or held.
    case dropped
    /// It is handed over next.
    case next
    /// It is held as the first after a hole as soon as the earlier ones were handed over.
    case held
  }

  private var newest = -Double.infinity
  private var released = -Double.infinity
  private var interval = 0.0
  private var intervals = 0
  /// The longest time between two samples that is no hole; 0 while the mean interval is not known or samples are held.
  private var usualGap = 0.0
  private var reversedInRow = 0
  private var previous = AccelerometerSample(time: 0, x: 0, y: 0, z: 0)
  private var since = SignalQuality()
  private var sinceTime = 0.0
  private var isBegun = false

  /// Takes a sample if it comes in its time, as most do: then it may be used as it is, and nothing is to be drained.
  ///
  /// Returns false for any other one, which is to be given to `take`.
  @inline(__always)
  mutating func takeUsual(_ sample: AccelerometerSample) -> Bool {
    let passed = sample.time - newest
    let power = sample.x * sample.x + sample.y * sample.y + sample.z * sample.z
    guard passed > 0, passed <= usualGap, power < SampleOrder.full else { return false }
    reversedInRow = 0
    previous = sample
    newest = sample.time
    released = sample.time
    interval += (passed - interval) * (1 / 64)
    usualGap = SampleOrder.hole * interval
    quality.samples &+= 1
    if sample.time - sinceTime > SampleOrder.judging { judge(at: sample.time) }
    return true
  }

  /// Takes a sample; drain with `next()` before the next one.
  mutating func take(_ sample: AccelerometerSample) {
    if flushing > 0 { endFlush() }
    fate = .dropped
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
    if any((acceleration .== SIMD4(previous.x, previous.y, previous.z, 0)) .& (size .> SampleOrder.full)) {
      quality.saturated += 1
    }
    previous = sample
    newest = sample.time
    if passed >= 0, passed <= SampleOrder.longestBridge {
      intervals = min(intervals + 1, 64)
      interval += (passed - interval) / Double(intervals)
    }
    if passed < 0 || passed > longestGap {
      usualGap = 0
      flush()
      restart(at: sample.time)
      release(Item(time: sample.time, acceleration: acceleration, begins: true))
      return
    }
    place(sample, acceleration)
    usualGap = intervals == 64 && heldCount == 0 ? SampleOrder.hole * interval : 0
    if sample.time - sinceTime > SampleOrder.judging { judge(at: sample.time) }
  }

  /// Returns the next sample to use, or nil when another one has to be taken first.
  mutating func next() -> Item? {
    if flushing > 0 { return nextHeld() }
    guard fate == .next else { return nil }
    fate = .dropped
    return last
  }

  /// Lets go of what is kept back: the signal ends.
  mutating func finish() {
    fate = .dropped
    flush()
  }

  /// The longest hole that is bridged, in s: slow sources may hand over seven samples late, too.
  private var longestGap: Double { min(max(Resampler.longestGap, 8 * interval), SampleOrder.longestBridge) }

  private mutating func place(_ sample: AccelerometerSample, _ acceleration: SIMD4<Float>) {
    if heldCount > 0 {
      let gap = sample.time - held[(heldCount - 1) & 15].time
      if gap < SampleOrder.bunch * interval, heldCount < SampleOrder.capacity {
        held[heldCount & 15] = sample
        heldCount += 1
        return
      }
      flush()
    }
    let gap = sample.time - released
    if gap <= 0 {
      quality.repeated += 1
    } else if gap > SampleOrder.hole * interval, intervals >= 16 {
      if flushing > 0 {
        last = Item(time: sample.time, acceleration: acceleration)
        fate = .held
      } else {
        held[0] = sample
        heldCount = 1
      }
    } else {
      release(Item(time: sample.time, acceleration: acceleration))
    }
  }

  /// Lets the held samples go: one alone at its own time, several spread over the hole before them.
  private mutating func flush() {
    guard heldCount > 0 else { return }
    let end = held[(heldCount - 1) & 15].time
    flushing = heldCount
    flushed = 0
    flushedFrom = released
    flushedStep = heldCount > 1 ? (end - released) / Double(heldCount) : end - released
    if heldCount > 1 { quality.respaced += heldCount }
    quality.samples += heldCount
    released = heldCount > 1 ? flushedFrom + flushedStep * Double(heldCount) : end
  }

  private mutating func nextHeld() -> Item {
    let sample = held[flushed & 15]
    flushed += 1
    let time = flushing > 1 ? flushedFrom + flushedStep * Double(flushed) : sample.time
    if flushed == flushing { endFlush() }
    return Item(time: time, acceleration: SIMD4(sample.x, sample.y, sample.z, 0))
  }

  private mutating func endFlush() {
    flushing = 0
    heldCount = 0
    guard fate == .held else { return }
    fate = .dropped
    held[0] = AccelerometerSample(
      time: last.time, x: last.acceleration.x, y: last.acceleration.y, z: last.acceleration.z)
    heldCount = 1
  }

  private mutating func release(_ item: Item) {
    released = item.time
    last = item
    fate = .next
    quality.samples += 1
  }

  private mutating func restart(at time: Double) {
    guard isBegun else {
      isBegun = true
      sinceTime = time
      since = quality
      return
    }
    quality.gaps += 1
  }

  @inline(never)
  private mutating func judge(at time: Double) {
    let all = Float(quality.samples - since.samples)
    let dropped = Float(quality.repeated + quality.reversed - since.repeated - since.reversed)
    let invalid = Float(quality.invalid - since.invalid)
    let respaced = Float(quality.respaced - since.respaced)
    let clipped = Float(quality.saturated - since.saturated)
    quality.rate = interval > 0 ? Float(1 / interval) : 0
    var found: SignalQuality.Degradation = []
    if quality.rate < SignalQuality.slowest { found.insert(.slow) }
    let expected = Float(time - sinceTime) * quality.rate
    if all < 0.8 * expected || invalid > 0.2 * (all + invalid) { found.insert(.incomplete) }
    if dropped + respaced > 0.2 * (all + dropped) { found.insert(.disordered) }
    if clipped > 0.02 * all { found.insert(.saturated) }
    quality.degradation = found
    since = quality
    sinceTime = time
  }
}
