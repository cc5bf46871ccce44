import Motion

/// Samples cut into chunks of at most 0.19 s of their own time.
///
/// Consumers act between chunks: whatever the speed at which samples come, they find them in portions as a device
/// gives them.
struct Chunks: Sequence, IteratorProtocol {
  /// Within so many seconds of its first sample a chunk takes more: below 0.2, so that rounding cannot exceed it.
  static let length = 0.19
  /// The most samples in a chunk, whatever their times say.
  static let mostSamples = 1024

  private let samples: [AccelerometerSample]
  private var index = 0

  init(_ samples: [AccelerometerSample]) { self.samples = samples }

  /// Whether a sample belongs to the chunk that began at a time, in seconds, and has so many samples.
  static func isIn(chunkFrom start: Double, of count: Int, _ sample: AccelerometerSample) -> Bool {
    count < mostSamples && abs(sample.time - start) < length
  }

  mutating func next() -> [AccelerometerSample]? {
    guard index < samples.count else { return nil }
    let first = index
    let start = samples[first].time
    while index < samples.count, Self.isIn(chunkFrom: start, of: index - first, samples[index]) { index += 1 }
    return Array(samples[first..<index])
  }
}
