import Motion

/// Looks at samples as a person would who doubts them: whether gravity is in them, their unit is right, and they are
/// enough.
///
/// Says each thing that is wrong once, when three seconds in a row (ten for the rate) agree on it.
struct SignalCheck: Sendable {
  /// What is wrong with samples.
  enum Finding: Sendable, Hashable {
    /// At rest, or on the whole, there is next to nothing: gravity was taken out. The mean magnitude in g.
    case weightless(Double)
    /// The magnitude, in g, is one that another unit explains.
    case unit(Double, AccelerationUnit)
    /// At rest something else than 1 g is felt, in g.
    case scale(Double)
    /// They come too slowly to count steps, in samples/s.
    case slow(Double)
  }

  /// At rest every accelerometer feels 1 g, a cheap one with this tolerance.
  private static let gravity = 0.8...1.2
  /// Someone who walks without gravity feels less than this in g on the average; with gravity nobody does.
  private static let weightless = 0.3
  /// Within so much of its mean the magnitude is at rest.
  private static let rest = 0.05
  /// So many seconds in a row have to agree.
  private static let agreeing = 3

  private let unit: AccelerationUnit
  private var start: Double?
  private var sum = 0.0
  private var count = 0.0
  private var lowest = Double.infinity
  private var highest = 0.0
  private var agreed: (kind: Kind, times: Int)?
  private var isDone = false
  private var intervals = Intervals()

  /// The rate that was measured over ten seconds, in samples/s; nil before.
  var rate: Double? { intervals.rate }

  /// For samples whose unit was said to be this one.
  init(unit: AccelerationUnit) { self.unit = unit }

  /// Takes a sample in g, and says what is wrong, when that becomes known.
  mutating func take(_ sample: AccelerometerSample) -> Finding? {
    if let rate = intervals.take(sample.time), rate < Double(SignalQuality.slowest) { return .slow(rate) }
    guard !isDone else { return nil }
    let value = SIMD3(Double(sample.x), Double(sample.y), Double(sample.z))
    let magnitude = (value * value).sum().squareRoot()
    let first = start ?? sample.time
    start = first
    sum += magnitude
    count += 1
    lowest = min(lowest, magnitude)
    highest = max(highest, magnitude)
    guard sample.time - first >= 1 || sample.time < first else { return nil }
    defer { (start, sum, count, lowest, highest) = (nil, 0, 0, .infinity, 0) }
    return judge(mean: sum / count)
  }

  /// What a second looks like.
  private enum Kind: Hashable {
    case fine, weightless, scale
    case unit(AccelerationUnit)
  }

  private mutating func judge(mean: Double) -> Finding? {
    guard count >= 5, let kind = kind(mean) else { return nil }
    let times = agreed?.kind == kind ? (agreed?.times ?? 0) + 1 : 1
    agreed = (kind, times)
    guard times == Self.agreeing else { return nil }
    switch kind {
    case .fine: return nil
    case .weightless:
      isDone = true
      return .weightless(mean)
    case .scale:
      isDone = true
      return .scale(mean)
    case .unit(let other):
      isDone = true
      return .unit(mean, other)
    }
  }

  /// What a second says; nil where it says nothing, as one of vigorous motion.
  private func kind(_ mean: Double) -> Kind? {
    let rests = lowest > (1 - Self.rest) * mean && highest < (1 + Self.rest) * mean
    if Self.gravity.contains(mean) { return .fine }
    let others = AccelerationUnit.allCases.filter { $0 != unit }
    if let other = others.first(where: { Self.gravity.contains(mean * Double($0.inG / unit.inG)) }),
      rests || mean > 5 || mean < Self.weightless
    {
      return .unit(other)
    }
    if rests { return .scale }
    return mean < Self.weightless ? .weightless : nil
  }
}

/// Measures the rate of samples from the times between them.
private struct Intervals: Sendable {
  /// Over so many seconds it is measured.
  private static let window = 10.0
  /// What is longer, in seconds, is a gap.
  private static let gap = 5.0

  private(set) var rate: Double?
  private var last: Double?
  private var sum = 0.0
  private var count = 0

  /// Takes the time of a sample, in seconds; gives the rate, once, when it is known.
  mutating func take(_ time: Double) -> Double? {
    guard rate == nil else { return nil }
    defer { last = time }
    guard let last, time > last, time - last < Self.gap else { return nil }
    sum += time - last
    count += 1
    guard sum >= Self.window else { return nil }
    let rate = Double(count) / sum
    self.rate = rate
    return rate
  }
}
