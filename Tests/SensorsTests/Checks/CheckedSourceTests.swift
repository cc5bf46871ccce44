import Motion
import Testing

@testable import Sensors

/// A source that gives samples and ends; or that is lost and found again between them.
private struct Given: AccelerometerSource {
  var description: SensorDescription
  var samples: [AccelerometerSample]
  var later: [[AccelerometerSample]] = []
  /// Why it is lost each time before it is found again; nil where it is found without.
  var loss: String?

  nonisolated(nonsending)
    func run(_ deliver: nonisolated(nonsending) (SensorEvent) async -> Void) async throws(SensorError)
  {
    await deliver(.opened(description))
    for chunk in Chunks(samples) { await deliver(.samples(chunk)) }
    for samples in later {
      if let loss { await deliver(.lost(SensorError(.silent, loss))) }
      await deliver(.found(description))
      for chunk in Chunks(samples) { await deliver(.samples(chunk)) }
    }
    await deliver(.ended)
  }
}

struct CheckedSourceTests {
  /// What is said of a synthetic walk whose accelerations were changed.
  private func said(
    of unit: AccelerationUnit?, rate: Double = 50, segments: [SyntheticWalk.Segment] = SyntheticWalk.demonstration,
    _ change: (SIMD3<Float>) -> SIMD3<Float>
  ) async throws -> (warnings: [String], rates: [Double?]) {
    let walk = SyntheticWalk(.init(segments: segments))
    let samples = walk.samples(rate: rate).map { sample in
      let value = change([sample.x, sample.y, sample.z])
      return AccelerometerSample(time: sample.time, x: value.x, y: value.y, z: value.z)
    }
    let given = Given(description: .init(kind: .lines, name: "a pipe", unit: unit), samples: samples)
    let delivered = try await collect(CheckedSource(given), on: VirtualClock())
    #expect(delivered.samples == samples)
    return (
      delivered.events.compactMap { if case .warning(let text) = $0 { text } else { nil } },
      delivered.events.compactMap { if case .found(let description) = $0 { description.rate } else { nil } }
    )
  }

  @Test(arguments: [AccelerationUnit.g, .mg, .metresPerSecondSquared])
  func `says nothing of what is right, but its rate`(unit: AccelerationUnit) async throws {
    let (warnings, rates) = try await said(of: unit) { $0 }
    #expect(warnings == [])
    #expect(rates == [50])
  }

  @Test(
    arguments: [
      (.g, 9.80665, "g where gravity is 1 g: this looks like m/s2; set sensor.unit: m/s2"),
      (.g, 1000, "this looks like mg; set sensor.unit: mg"),
      (.mg, 1 / 1000, "this looks like g; set sensor.unit: g"),
      (.mg, 9.80665 / 1000, "this looks like m/s2; set sensor.unit: m/s2"),
      (.metresPerSecondSquared, 1 / 9.80665, "this looks like g; set sensor.unit: g"),
      (.metresPerSecondSquared, 1000 / 9.80665, "this looks like mg; set sensor.unit: mg"),
      (nil, 9.80665, "this looks like m/s2; the driver's scale is wrong"),
      (nil, 0.5, "feels 0.5 g at rest instead of 1 g; the driver's scale is wrong"),
    ] as [(AccelerationUnit?, Float, String)])
  func `names the unit that it looks like`(declared: AccelerationUnit?, factor: Float, text: String) async throws {
    let warnings = try await said(of: declared) { $0 * factor }.warnings
    #expect(warnings.count == 1)
    #expect(warnings.first?.contains(text) == true, "\(warnings)")
  }

  @Test(arguments: [[.standing(20)], SyntheticWalk.demonstration, [.walking(60)]] as [[SyntheticWalk.Segment]])
  func `says that gravity is missing`(segments: [SyntheticWalk.Segment]) async throws {
    var gravity = SIMD3<Float>(0, 0, 0)
    let warnings = try await said(of: .g, segments: segments) { value in
      // As a phone does it: what is slow is gravity.
      if gravity == .zero { gravity = value }
      gravity += (value - gravity) * 0.02
      return value - gravity
    }.warnings
    #expect(warnings.count == 1)
    #expect(warnings.first?.contains("come without gravity") == true, "\(warnings)")
    #expect(warnings.first?.contains("send total acceleration") == true)
  }

  @Test(arguments: [(nil, 1), ("silent", 5)])
  func `says a thing once, though its figures differ, until the sender is lost`(loss: String?, count: Int) async throws
  {
    let wrong = (0..<5).map { turn in
      (0..<300).map { sample(Double(turn * 100) + Double($0) / 50, 0, 0, 9.7 + Float(turn) / 20) }
    }
    let given = Given(
      description: .init(kind: .lines, name: "a pipe", unit: .g), samples: wrong[0], later: Array(wrong[1...]),
      loss: loss)
    let delivered = try await collect(CheckedSource(given), on: VirtualClock())
    #expect(delivered.events.count { if case .warning = $0 { true } else { false } } == count)
  }

  @Test func `says that samples come too slowly`() async throws {
    let (warnings, rates) = try await said(of: .g, rate: 5) { $0 }
    #expect(rates == [5])
    #expect(warnings.count == 1)
    #expect(warnings.first?.contains("5 samples a second come; have it send at least 10") == true, "\(warnings)")
  }
}
