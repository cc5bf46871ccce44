/// Turns samples of any rate into an even 25 Hz.
///
/// The signal is taken as straight lines between the samples, and each output is its mean over 40 ms. That is a low-pass
/// where the source is faster, an interpolation where it is slower, and gives each sample of an uneven source the weight
/// of the time it stands for.
struct Resampler: Sendable {
  /// The time between two outputs, in s: 25 Hz, of which the gait's first six harmonics need half.
  static let interval = 0.04
  /// The longest time between two samples that is bridged by a line, in s; two steps could hide in a longer one.
  static let longestGap = 0.5

  /// One output.
  struct Output {
    /// The middle of the 40 ms, in s on the samples' clock.
    var time: Double
    /// The mean acceleration, in g.
    var acceleration: SIMD4<Float>
  }

  private var startTime = 0.0
  private var start = SIMD4<Float>.zero
  private var endTime = 0.0
  private var end = SIMD4<Float>.zero
  private var slope = SIMD4<Float>.zero
  private var position = 0.0
  private var boundary = 0.0
  private var sum = SIMD4<Float>.zero
  private var isPassing = false

  /// Takes the next sample, which is later than the one before or begins a new signal; drain with `next()`.
  @inline(__always)
  mutating func take(_ item: SampleOrder.Item) {
    if isPassing { stopPassing() }
    startTime = endTime
    start = end
    endTime = item.time
    end = item.acceleration
    if item.begins {
      position = endTime
      boundary = endTime + Resampler.interval
      sum = .zero
    } else {
      slope = (end - start) / Float(endTime - startTime)
    }
  }

  /// Returns the next output that is complete, or nil when another sample is needed.
  @inline(__always)
  mutating func next() -> Output? {
    guard position < endTime else { return nil }
    let stop = min(boundary, endTime)
    let middle = Float((position + stop) * 0.5 - startTime)
    sum += (start + slope * middle) * Float(stop - position)
    position = stop
    guard stop == boundary else { return nil }
    let output = Output(time: boundary - Resampler.interval / 2, acceleration: sum * Float(1 / Resampler.interval))
    boundary += Resampler.interval
    sum = .zero
    return output
  }

  /// Passes over a sample that differs too little from those before it to be worth a mean.
  ///
  /// - Returns: how many outputs there would have been, and the time of the last one.
  @inline(__always)
  mutating func pass(time: Double, _ acceleration: SIMD4<Float>) -> (outputs: Int32, time: Double) {
    isPassing = true
    endTime = time
    end = acceleration
    var outputs: Int32 = 0
    while boundary <= time {
      boundary += Resampler.interval
      outputs &+= 1
    }
    return (outputs, boundary - 1.5 * Resampler.interval)
  }

  /// Goes on with means: the output that is under way is taken for even up to the last sample.
  private mutating func stopPassing() {
    isPassing = false
    position = endTime
    sum = end * Float(endTime - (boundary - Resampler.interval))
  }
}
