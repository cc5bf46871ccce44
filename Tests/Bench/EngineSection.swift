import BenchCounting
import Motion
import Sensors

/// What the engine costs a sample, on synthetic signals.
struct EngineSection {
  /// How long the signals are, in s.
  private static let seconds = 300.0
  /// How many passes of each are timed, in turns; the fastest counts.
  ///
  /// A pass takes a millisecond, and a shared machine is slower by half for a tenth of a second at a time: so many take
  /// some seconds.
  private static let passes = 250

  private struct Signal {
    var name: String
    var segment: SyntheticWalk.Segment
    var noise: Float
  }

  private static let signals = [
    Signal(name: "still (on a table)", segment: .riding(0), noise: 0.004),
    Signal(name: "standing", segment: .standing(seconds), noise: 0.01),
    Signal(name: "walking", segment: .walking(seconds, cadence: 1.85), noise: 0.01),
    Signal(name: "running", segment: .running(seconds, cadence: 2.7), noise: 0.01),
  ]

  /// What one signal costs at one rate.
  private struct Row {
    let name: String
    let rate: Double
    let samples: [AccelerometerSample]
    var best = Double.infinity
  }

  func run() {
    var rows = Self.signals.flatMap { signal in
      [25.0, 50.0].map { Row(name: signal.name, rate: $0, samples: samples(signal, $0)) }
    }
    for _ in 0..<Self.passes {
      for index in rows.indices {
        let took = timeOnProcessor { _ = count(rows[index].samples) }
        rows[index].best = min(rows[index].best, took)
      }
    }
    var made: Pedometer?
    let making = allocations { made = Pedometer() }
    let control = allocations {
      for size in 1...1000 { withExtendedLifetime([UInt8](repeating: 0, count: size)) {} }
    }
    table(
      "Engine (aims: 3.2 µs a second while moving, 0.45 µs while still, at 25 Hz)",
      ["signal", "Hz", "steps", "ns/sample", "samples/s", "µs per s of signal", "allocations"], rows.map(cells),
      notes: [
        "size of a Pedometer: \(figure(MemoryLayout.size(ofValue: made))) bytes; making one allocates \(making) times",
        "allocations are counted in this program's own malloc over all samples; 1,000 arrays made for control: "
          + "\(figure(control)) counted",
        "time on the processor, the fastest of \(Self.passes) passes in turns, each \(figure(Self.seconds)) s of a synthetic "
          + "walk at the belt",
      ])
  }

  private func cells(_ row: Row) -> [String] {
    var steps = 0
    let allocated = allocations { steps = count(row.samples) }
    return [
      row.name, figure(row.rate), figure(steps), figure(row.best / Double(row.samples.count) * 1e9, 1),
      figure(Double(row.samples.count) / row.best), figure(row.best / Self.seconds * 1e6, 2), figure(allocated),
    ]
  }

  private func samples(_ signal: Signal, _ rate: Double) -> [AccelerometerSample] {
    if signal.segment.seconds > 0 {
      let walk = SyntheticWalk(.init(segments: [signal.segment], noise: signal.noise))
      return Array(walk.samples(rate: rate))
    }
    var random = SystemRandomNumberGenerator()
    return (0..<Int(Self.seconds * rate)).map { index in
      let noise = SIMD3<Float>.random(in: -1.7...1.7, using: &random) * signal.noise
      return AccelerometerSample(time: Double(index) / rate, x: noise.x, y: noise.y, z: 1 + noise.z)
    }
  }

  private func count(_ samples: [AccelerometerSample]) -> Int {
    var pedometer = Pedometer()
    var steps = 0
    for sample in samples {
      pedometer.take(sample) { event in if case .step = event { steps += 1 } }
    }
    pedometer.finish { event in if case .step = event { steps += 1 } }
    return steps
  }
}

/// Runs something and gives how often memory was asked for meanwhile, by any thread.
private func allocations(in body: () -> Void) -> Int {
  let before = counting_allocations()
  body()
  return counting_allocations() - before
}
