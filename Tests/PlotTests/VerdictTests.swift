import Motion
import Testing

@testable import steps2mqtt

@Suite struct VerdictTests {
  @Test(
    arguments: [
      ([1, 2, 3], [1.1, 2.2, 2.8], [], []),
      ([1, 2, 3], [1.1, 3.1], [2], []),
      ([1, 2, 3], [1.1, 1.2, 2, 3], [], [1.2]),
      ([1, 2, 3], [], [1, 2, 3], []),
      ([], [1, 2], [], [1, 2]),
      // A constant lag of less than the tolerance is no error, although the steps are close.
      ([1, 1.5, 2, 2.5], [1.3, 1.8, 2.3, 2.8], [], []),
      ([1, 1.5, 2, 2.5], [1.3, 2.3, 2.8], [1.5], []),
      ([5], [4.5, 5.5], [5], [4.5, 5.5]),
    ] as [([Double], [Double], [Double], [Double])])
  func `each true step has at most one counted step, and the rest is named`(
    steps: [Double], counted: [Double], missed: [Double], stray: [Double]
  ) {
    let verdict = Verdict(counted: counted, activities: [], truth: Truth(steps: steps))
    #expect(verdict.missed == missed)
    #expect(verdict.stray == stray)
  }

  @Test func `no pairing of random steps leaves more without a partner than it must`() {
    var random = Noise(state: 7)
    for _ in 0..<300 {
      let steps = (0..<6).map { _ in random.next(below: 4) }.sorted()
      let counted = (0..<6).map { _ in random.next(below: 4) }.sorted()
      let verdict = Verdict(counted: counted, activities: [], truth: Truth(steps: steps))
      #expect(steps.count - verdict.missed.count == counted.count - verdict.stray.count)
      #expect(steps.count - verdict.missed.count == best(steps[...], counted[...]))
    }
  }

  @Test func `without true steps, those within a ride or a rest are false`() {
    let truth = Truth(stretches: [
      Truth.Stretch(start: 0, end: 20, label: "walking"), Truth.Stretch(start: 20, end: 60, label: "bus"),
      Truth.Stretch(start: 60, end: 80, label: "clapping"), Truth.Stretch(start: 80, end: 100, label: "sitting"),
    ])
    let verdict = Verdict(counted: [10, 21, 30, 59, 70, 90], activities: [], truth: truth)
    #expect(verdict.stray == [30, 90])
    #expect(verdict.missed == [])
  }

  @Test func `an activity is wrong where another is named or none, save just after a change`() {
    let truth = Truth(stretches: [
      Truth.Stretch(start: 0, end: 30, label: "walking"), Truth.Stretch(start: 30, end: 60, label: "stairs_up"),
      Truth.Stretch(start: 60, end: 90, label: "sitting"), Truth.Stretch(start: 90, end: 120, label: "typing"),
      Truth.Stretch(start: 110, end: 900, label: "bus"),
    ])
    let verdict = Verdict(
      counted: [], activities: [said(.walking, 8, 40), said(.running, 40, 62), said(.stationary, 62, 80)],
      truth: truth, end: 120)
    #expect(
      verdict.mistakes == [
        Verdict.Mistake(start: 5, end: 8), Verdict.Mistake(start: 40, end: 60), Verdict.Mistake(start: 80, end: 90),
        Verdict.Mistake(start: 115, end: 120),
      ])
    #expect(verdict.judged == 85)
    #expect(verdict.mistaken == 38)
  }

  private func said(_ flags: MotionActivity.Flags, _ start: Double, _ end: Double) -> Analysis.Stretch {
    Analysis.Stretch(start: start, end: end, activity: MotionActivity(flags, confidence: .high, start: start))
  }

  /// The most pairs, by trying everything.
  private func best(_ steps: ArraySlice<Double>, _ counted: ArraySlice<Double>) -> Int {
    guard let step = steps.first else { return 0 }
    var most = best(steps.dropFirst(), counted)
    for (index, time) in counted.enumerated() where abs(time - step) <= Verdict.tolerance {
      most = max(most, 1 + best(steps.dropFirst(), counted.dropFirst(index + 1)))
    }
    return most
  }
}

/// Numbers that look random and are the same in each run.
struct Noise {
  var state: UInt64

  mutating func next(below limit: Double) -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(state >> 33) / Double(1 << 31) * limit
  }
}
