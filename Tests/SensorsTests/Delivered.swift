import Motion

@testable import Sensors

/// What a source delivered, with the virtual time of each chunk.
struct Delivered: Sendable {
  var events: [SensorEvent] = []
  var chunks: [(at: Double, samples: [AccelerometerSample])] = []
  var samples: [AccelerometerSample] { chunks.flatMap(\.samples) }
  var times: [Double] { samples.map(\.time) }

  /// Whether there are so many samples, one each 1/rate seconds from a time on.
  func isEven(_ count: Int, from start: Double, rate: Double) -> Bool {
    let times = times
    return times.count == count && times.indices.allSatisfy { abs(times[$0] - start - Double($0) / rate) < 1e-6 }
  }
}

/// Runs a source on a virtual clock until it ends, or until so many samples have come.
///
/// The consumer is busy for some virtual time with each chunk, and may react to what has come so far.
func collect(
  _ source: some AccelerometerSource, on clock: VirtualClock, atMost limit: Int = .max, busyFor busy: Duration = .zero,
  reacting react: @escaping @Sendable (SensorEvent, Delivered) throws -> Void = { _, _ in }
) async throws -> Delivered {
  try await Task {
    var delivered = Delivered()
    var count = 0
    var failure: (any Error)?
    try await source.run { event in
      if case .samples(let samples) = event {
        delivered.chunks.append((clock.seconds, samples))
        count += samples.count
        clock.advance(by: busy)
      } else {
        delivered.events.append(event)
      }
      do { try react(event, delivered) } catch { failure = error }
      if count >= limit || failure != nil { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
    }
    if let failure { throw failure }
    return delivered
  }.value
}
