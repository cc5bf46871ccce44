import Glibc

/// A stretch of one activity in a synthetic walk; its steps where it has any.
struct SyntheticBout: Sendable {
  /// One fall of a foot.
  struct Step: Sendable {
    var time: Double
    /// A factor on the accelerations of this step.
    var strength: Double
  }

  var activity: SyntheticWalk.Segment.Activity
  var start: Double
  var end: Double
  var cadence: Double
  var steps: [Step] = []

  /// Lays out all segments one after the other.
  static func schedule(
    _ configuration: SyntheticWalk.Configuration, using random: inout SplitMix
  ) -> [SyntheticBout] {
    var start = 0.0
    return configuration.segments.map { segment in
      let end = start + max(segment.seconds, 0)
      var bout = SyntheticBout(activity: segment.activity, start: start, end: end, cadence: segment.cadence)
      let walks = segment.activity == .walking || segment.activity == .running
      if walks, segment.cadence > 0 { bout.layOut(configuration, using: &random) }
      start = end
      return bout
    }
  }

  /// Places the steps: half an interval from either end, slower in turns, the first and the last two weaker.
  private mutating func layOut(_ configuration: SyntheticWalk.Configuration, using random: inout SplitMix) {
    let interval = 1 / cadence
    var time = start + interval / 2
    var deviation = 0.0  // of the interval, wandering: steps resemble the ones before
    var turn = time + .random(in: 8...25, using: &random)
    while time < end - interval / 4 {
      let isRight = !steps.count.isMultiple(of: 2)
      let sign = isRight ? -1.0 : 1.0
      steps.append(Step(time: time, strength: 1 + sign * 1.5 * configuration.asymmetry + random.normal(0.05)))
      deviation = 0.6 * deviation + 0.8 * random.normal(configuration.variability)
      let turning = time > turn && time < turn + 1.5 ? 0.14 : 0
      if time > turn + 1.5 { turn = time + .random(in: 8...25, using: &random) }
      time += interval * max(0.5, 1 + deviation + turning + sign * configuration.asymmetry)
    }
    let weak = [0.6, 0.85]
    for (index, factor) in weak.enumerated() where index < steps.count {
      steps[index].strength *= factor
      steps[steps.count - 1 - index].strength *= factor
    }
  }

  /// Where in the gait a time is: steps since the first (a step's own time is a whole number), and how strong.
  ///
  /// Motion sets in half an interval before the first step and fades within half an interval after the last.
  func gait(at time: Double) -> (phase: Double, strength: Double) {
    guard let first = steps.first, let last = steps.last else { return (0, 0) }
    let interval = 1 / cadence
    if time < first.time {
      let phase = (time - first.time) / interval
      return (phase, first.strength * Self.ease(1 + 2 * phase))
    }
    if time >= last.time {
      let phase = (time - last.time) / interval
      return (Double(steps.count - 1) + phase, last.strength * Self.ease(1 - 2 * phase))
    }
    var low = 0
    var high = steps.count - 1
    while high - low > 1 {
      let middle = (low + high) / 2
      if steps[middle].time <= time { low = middle } else { high = middle }
    }
    let part = (time - steps[low].time) / (steps[high].time - steps[low].time)
    let strength = steps[low].strength + (steps[high].strength - steps[low].strength) * Self.ease(part)
    return (Double(low) + part, strength)
  }

  /// A smooth way from 0 to 1.
  static func ease(_ part: Double) -> Double {
    let part = min(max(part, 0), 1)
    return part * part * (3 - 2 * part)
  }
}
