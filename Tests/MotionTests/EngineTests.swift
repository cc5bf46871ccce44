import Testing

@testable import Motion

struct EngineTests {
  /// What an engine says that numbers its samples from some number on: a walk, a rest, a walk.
  private func heard(from start: Int32) -> [MotionEvent] {
    var engine = Engine(now: start)
    var resampler = Resampler()
    var events: [MotionEvent] = []
    let samples = SyntheticWalk().samples([(30, true), (20, false), (30, true)])
    for (index, sample) in samples.enumerated() {
      resampler.take(
        SampleOrder.Item(
          time: sample.time, acceleration: SIMD4(sample.x, sample.y, sample.z, 0), begins: index == 0))
      while let output = resampler.next() { engine.take(output, .init()) { events.append($0) } }
    }
    engine.finish(.init()) { events.append($0) }
    return events
  }

  @Test(arguments: [12, 36, 60, 504, 996, 1284, 1308, 1500, 1992] as [Int32])
  func `numbering the samples anew changes nothing, wherever in a walk it comes`(before: Int32) {
    let events = heard(from: 2 * 1536 - before)
    #expect(events.count > 90)
    #expect(heard(from: Engine.era - before) == events)
  }
}
