import Motion
import Testing

@testable import Sensors

/// The times at which a signal's magnitude, smoothed over 0.1 s, peaks: a counter too simple to be fooled by the model.
private func peaks(_ samples: [AccelerometerSample], above threshold: Float) -> [Double] {
  let magnitude = samples.map { ($0.x * $0.x + $0.y * $0.y + $0.z * $0.z).squareRoot() }
  let smooth = magnitude.indices.map { index in
    let window = magnitude[max(0, index - 2)...min(magnitude.count - 1, index + 2)]
    return window.reduce(0, +) / Float(window.count)
  }
  var times: [Double] = []
  for index in 8..<smooth.count - 8 where smooth[index] > threshold {
    if smooth[index - 8...index + 8].max() == smooth[index] { times.append(samples[index].time) }
  }
  return times
}

struct SyntheticWalkTests {
  private func walk(
    _ segments: [SyntheticWalk.Segment], _ placement: SyntheticWalk.Placement = .waist, seed: UInt64 = 1
  ) -> SyntheticWalk {
    SyntheticWalk(.init(segments: segments, placement: placement, seed: seed))
  }

  @Test func `is the same walk from the same seed, and another from another`() {
    let first = Array(SyntheticWalk(.init(seed: 4)).samples(rate: 50))
    #expect(first == Array(SyntheticWalk(.init(seed: 4)).samples(rate: 50)))
    #expect(first != Array(SyntheticWalk(.init(seed: 5)).samples(rate: 50)))
    #expect(SyntheticWalk(.init(seed: 4)).steps == SyntheticWalk(.init(seed: 4)).steps)
  }

  @Test(arguments: [10.0, 12.5, 25, 50, 100, 200])
  func `has the same steps and the right length at any rate`(rate: Double) {
    let walk = walk([.standing(5), .walking(20), .standing(5)])
    let samples = Array(walk.samples(rate: rate))
    #expect(samples.count == Int(30 * rate))
    #expect(abs(samples[samples.count - 1].time - (30 - 1 / rate)) < 1e-9)
  }

  @Test(arguments: [0.67, 1.2, 1.85, 2.4])
  func `steps at the cadence that was asked for, within the segment`(cadence: Double) {
    let steps = walk([.standing(5), .walking(60, cadence: cadence), .standing(5)]).steps
    #expect(abs(Double(steps.count) - 60 * cadence) < 0.05 * 60 * cadence + 1)
    #expect(steps.allSatisfy { $0 > 5 && $0 < 65 })
    #expect(zip(steps, steps.dropFirst()).allSatisfy { $1 - $0 > 0.5 / cadence && $1 - $0 < 1.6 / cadence })
  }

  @Test func `varies its steps, left and right`() {
    let steps = walk([.walking(120)]).steps
    let intervals = zip(steps, steps.dropFirst()).map { $1 - $0 }
    let mean = intervals.reduce(0, +) / Double(intervals.count)
    let deviation = (intervals.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(intervals.count)).squareRoot()
    #expect(deviation / mean > 0.02 && deviation / mean < 0.08)
  }

  @Test(arguments: SyntheticWalk.Placement.allCases)
  func `feels one g at rest, whichever way the device lies`(placement: SyntheticWalk.Placement) {
    for seed in 1...8 {
      let walk = walk([.standing(30)], placement, seed: UInt64(seed))
      for time in stride(from: 0.0, to: 30, by: 0.1) {
        let value = walk.acceleration(at: time)
        #expect(abs((value * value).sum().squareRoot() - 1) < 0.03)
      }
    }
    #expect(walk([.standing(30)], placement).steps == [])
  }

  @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
  func `shows each step of a waist as one peak near its time`(seed: UInt64) {
    let walk = walk([.standing(3), .walking(60), .standing(3)], seed: seed)
    let peaks = peaks(Array(walk.samples(rate: 50)), above: 1.08)
    #expect(abs(peaks.count - walk.steps.count) <= 5)
    let near = walk.steps.filter { step in peaks.contains { abs($0 - step - 0.08) < 0.12 } }
    #expect(near.count >= walk.steps.count - 6)
  }

  @Test func `takes no step on a bicycle, in a vehicle or standing`() {
    let walk = walk([.cycling(60), .riding(60), .standing(60)], .pocket)
    #expect(walk.steps == [])
    #expect(Array(walk.samples(rate: 50)).count == 9_000)
  }

  @Test func `swings once in two steps on a wrist, and hardly on a waist`() {
    /// How much two steps differ from the two before, half a stride shifted, in g rms.
    func stride(_ placement: SyntheticWalk.Placement) -> Double {
      let walk = SyntheticWalk(
        .init(segments: [.walking(15, cadence: 2)], placement: placement, variability: 0, asymmetry: 0))
      let differences = Swift.stride(from: 3.0, to: 12, by: 0.02).map { time in
        let difference = walk.acceleration(at: time) - walk.acceleration(at: time + 0.5)
        return (difference * difference).sum()
      }
      return (differences.reduce(0, +) / Double(differences.count)).squareRoot()
    }
    #expect(stride(.wrist) > 0.3)
    #expect(stride(.wrist) > 2 * stride(.waist))
  }

  @Test func `feels nothing in flight and more than two g on the ground when it runs`() {
    let values = Array(walk([.running(30)]).samples(rate: 100)).map { ($0.x * $0.x + $0.y * $0.y + $0.z * $0.z) }
    #expect(values.min() ?? 1 < 0.25)
    #expect(values.max() ?? 0 > 4)
  }

  @Test(arguments: SyntheticWalk.Placement.allCases, [1.3, 1.85, 2.2])
  func `is counted by the motion engine`(placement: SyntheticWalk.Placement, cadence: Double) {
    let walk = walk([.standing(5), .walking(60, cadence: cadence), .standing(5)], placement)
    var pedometer = Pedometer()
    var count = 0
    let take: (MotionEvent) -> Void = { if case .step = $0 { count += 1 } }
    for sample in walk.samples(rate: 50) { pedometer.take(sample, take) }
    pedometer.finish(take)
    #expect(abs(count - walk.steps.count) <= walk.steps.count / 10)
  }

  @Test(arguments: SyntheticWalk.Placement.allCases, [2.55, 2.7, 3])
  func `is counted by the motion engine when it runs`(placement: SyntheticWalk.Placement, cadence: Double) {
    let walk = walk([.standing(5), .running(60, cadence: cadence), .standing(5)], placement)
    var pedometer = Pedometer()
    var count = 0
    let take: (MotionEvent) -> Void = { if case .step = $0 { count += 1 } }
    for sample in walk.samples(rate: 50) { pedometer.take(sample, take) }
    pedometer.finish(take)
    #expect(abs(count - walk.steps.count) <= walk.steps.count / 30)
  }

  @Test func `keeps within what a sensor of 16 g can say, whatever is asked for`() {
    for placement in SyntheticWalk.Placement.allCases {
      for cadence in [0.5, 1, 2, 3, 3.7] {
        let walk = SyntheticWalk(
          .init(segments: [.walking(20, cadence: cadence), .running(20, cadence: cadence)], placement: placement))
        for sample in walk.samples(rate: 50) {
          #expect(sample.x.magnitude < 16 && sample.y.magnitude < 16 && sample.z.magnitude < 16)
        }
      }
    }
  }

  @Test func `demonstrates a pause and a resumption well within twenty seconds`() {
    let steps = SyntheticWalk().steps
    let pauses = zip(steps, steps.dropFirst()).filter { $1 - $0 > 2.5 }
    #expect(pauses.count >= 3)
    #expect(pauses.first.map { $0.1 < 13 } == true)
  }
}

struct SyntheticSourceTests {
  @Test func `is played like a recording, over and over`() async throws {
    let clock = VirtualClock()
    let walk = SyntheticWalk.Configuration(segments: [.walking(2)])
    let source = SyntheticSource(.init(walk: walk, rate: 50, loop: true), clock: clock, bootTime: { 5_000 })
    let delivered = try await collect(source, on: clock, atMost: 250)
    #expect(delivered.isEven(250, from: 5_000, rate: 50))
    #expect(clock.seconds > 4.9)
    #expect(delivered.samples[0].x == delivered.samples[100].x)
    guard case .opened(let description) = delivered.events.first else { return }
    #expect(description.kind == .synthetic && description.rate == 50 && description.pace == .boot)
  }

  @Test func `refuses a walk without a length`() async {
    let clock = VirtualClock()
    let source = SyntheticSource(.init(walk: .init(segments: []), loop: true), clock: clock, bootTime: { 0 })
    await #expect(throws: SensorError.self) { try await collect(source, on: clock) }
  }
}
