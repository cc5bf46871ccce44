import Motion

/// The lowest and highest value of a signal in each of many short stretches, in bounded memory.
///
/// The stretches get twice as long whenever there would be more than `capacity` of them: an hour keeps each sample, a
/// day about every tenth of a second, and no spike is ever lost.
struct Envelope {
  /// The values of one stretch; empty where none was taken.
  struct Span: Equatable {
    /// The middle of the stretch, in seconds from the first sample on.
    var time: Double
    var low: Float
    var high: Float
  }

  /// The most stretches that are kept: 8 MB.
  static let capacity = 1 << 20

  /// The length of a stretch, in s.
  private(set) var width = 0.01
  private var first: Double?
  private var lows: [Float] = []
  private var highs: [Float] = []

  /// Takes the magnitude of the next sample, in g.
  mutating func take(_ sample: AccelerometerSample) {
    take((sample.x * sample.x + sample.y * sample.y + sample.z * sample.z).squareRoot(), at: sample.time)
  }

  /// Takes the next value; one that is no number, or dated before the first or a year after it, is left out.
  mutating func take(_ value: Float, at time: Double) {
    let start = first ?? time
    guard value.isFinite, time.isFinite, time >= start, time - start < 366 * 86_400 else { return }
    first = start
    while (time - start) / width >= Double(Self.capacity) { coarsen() }
    let index = Int((time - start) / width)
    while lows.count <= index {
      lows.append(.infinity)
      highs.append(-.infinity)
    }
    lows[index] = min(lows[index], value)
    highs[index] = max(highs[index], value)
  }

  /// What lies between two times in seconds from the first sample on, drawn together into columns of a width in s.
  func spans(from start: Double, to end: Double, column: Double) -> [Span] {
    var spans: [Span] = []
    var current = -1
    let column = max(column, width)
    for index in indices(from: start, to: end) where lows[index] <= highs[index] {
      let here = Int((Double(index) * width - start) / column)
      if here == current, let last = spans.indices.last {
        spans[last].low = min(spans[last].low, lows[index])
        spans[last].high = max(spans[last].high, highs[index])
      } else {
        spans.append(Span(time: (Double(index) + 0.5) * width, low: lows[index], high: highs[index]))
        current = here
      }
    }
    return spans
  }

  /// The range that all but the rarest values keep to: a single knock does not flatten a whole walk.
  var range: ClosedRange<Float>? {
    let low = lows.filter { $0.isFinite }.sorted()
    let high = highs.filter { $0.isFinite }.sorted()
    guard !low.isEmpty else { return nil }
    return low[low.count / 500]...high[high.count - 1 - high.count / 500]
  }

  private func indices(from start: Double, to end: Double) -> Range<Int> {
    let bound = { (time: Double) in Int(min(max(0, (time / width).rounded(.up)), Double(lows.count))) }
    return bound(start)..<max(bound(start), bound(end))
  }

  private mutating func coarsen() {
    width *= 2
    let half = (lows.count + 1) / 2
    for index in 0..<half {
      let other = min(2 * index + 1, lows.count - 1)
      lows[index] = min(lows[2 * index], lows[other])
      highs[index] = max(highs[2 * index], highs[other])
    }
    lows.removeLast(lows.count - half)
    highs.removeLast(highs.count - half)
  }
}
