/// Counts floors: height that was gained or lost on foot, from a barometer and the steps.
///
/// A floor is 3 m: "a flight of stairs is counted as approximately 10 feet (3 meters) of elevation gain (approximately
/// 16 steps)" (Apple's Health, on the figure that CMPedometer's floors feed). Height counts only where there are steps
/// and no faster than feet climb; what is slower than a weather front is taken off. So weather, lifts, cars and cabins
/// do not count; nor does a door of up to 12 Pa or a gust of up to 5 Pa rms, which has passed before a flight of stairs
/// has. Walking in a storm (gusts of 10 Pa) adds some floors an hour.
///
/// Second by second, each looked at once the steps around it are known for sure.
struct FloorCounter: Sendable {
  /// The height of a floor, in m, and how much of it may be missing: storeys begin at 2.4 m, and the noise takes some.
  static let height: Float = 3
  static let tolerance: Float = 0.7
  /// The height over which the pressure falls by a factor of e at 15 °C, in m: R·T/(M·g) of dry air.
  static let scaleHeight: Float = 8434
  /// What may be weather, in m/s: 4 hPa an hour, as in the passage of a storm's centre.
  static let drift: Float = 0.01
  /// A change within five seconds that is no weather, in m: nothing is taken off it.
  static let clear: Float = 0.4
  /// The most that feet climb, in m a step: two stairs at once; and what the noise may add to it in a second, in m.
  static let steepest: Float = 0.42
  static let slack: Float = 0.15
  /// How much more than that a jump from one second to the next is: a door, whatever the steps say, in m.
  static let jump: Float = 0.2
  /// The least number of steps in five seconds that are walking, of the slowest on stairs.
  static let fewest = 2
  /// The height by which a change of direction is one, in m: half a floor.
  static let turn: Float = 1.5
  /// How far behind the latest reading a second is looked at, in s: a bout's first steps are credited up to 12 s late.
  static let delay = 15
  /// The longest hole between two readings, in s, over which the height is still followed.
  static let longestHole = 5

  /// What is known of the last seconds, by their number modulo 32.
  private var heights = InlineArray<32, Float>(repeating: 0)
  private var steps = InlineArray<32, UInt8>(repeating: 0)
  /// When second 0 began, and the pressure at height 0; nil before the first reading.
  private var origin: (time: Double, pressure: Float)?
  /// The second of the latest reading, the last whose steps are kept, and the next to be looked at.
  private var latest = 0
  private var head = 0
  private var next = 0
  /// The readings of the latest second.
  private var readings: Float = 0
  /// The height gained and lost since the last turn, and the floors of it that were counted.
  private var gained: Float = 0
  private var lost: Float = 0
  private var up: Float = 0
  private var down: Float = 0
  /// How unsteadily the height changes, in m/s: the mean change from one second's change to the next one's.
  private var roughness: Float = 0
  private var lastChange: Float = 0

  /// Takes a reading, and emits the floors that it completes; what no air on earth has is passed over.
  mutating func take(_ sample: PressureSample, _ emit: (Floor) -> Void) {
    guard PressureSample.possible.contains(sample.pressure), sample.time.magnitude < 1e12 else { return }
    guard let origin, sample.time >= origin.time + Double(latest),
      sample.time < origin.time + Double(latest + 1 + FloorCounter.longestHole)
    else {
      // Another clock, a hole or the beginning; of the same second twice or a little back is nothing to be had.
      if let origin, sample.time < origin.time + Double(latest), sample.time > origin.time + Double(latest) - 1 {
        return
      }
      finish(emit)
      begin(sample)
      return
    }
    let second = Int(sample.time - origin.time)
    let height =
      2 * FloorCounter.scaleHeight * (origin.pressure - sample.pressure) / (origin.pressure + sample.pressure)
    if second > latest {
      let before = heights[latest & 31]
      keep(second)
      while latest < second {
        latest += 1
        heights[latest & 31] = before
      }
      readings = 0
    }
    readings += 1
    heights[latest & 31] += (height - heights[latest & 31]) / readings
    while next + FloorCounter.delay <= latest { look(emit) }
  }

  /// Takes what the engine says, of which steps matter.
  mutating func note(_ event: MotionEvent) {
    if case .step(let step) = event { take(step) }
  }

  /// Takes a step; one of a second that was looked at already comes too late.
  mutating func take(_ step: Step) {
    guard let origin, step.time >= origin.time + Double(next - 6), step.time < origin.time + Double(latest + 8) else {
      return
    }
    let second = Int(step.time - origin.time)
    keep(second)
    steps[second & 31] = min(steps[second & 31] + 1, 100)
  }

  /// Looks at everything that is left, as if the wearer had stayed where they are.
  mutating func finish(_ emit: (Floor) -> Void) {
    guard origin != nil else { return }
    let end = latest
    while next <= end {
      if next + FloorCounter.delay > latest {
        let last = heights[latest & 31]
        keep(latest + 1)
        latest += 1
        heights[latest & 31] = last
      }
      look(emit)
    }
    origin = nil
  }

  private mutating func begin(_ sample: PressureSample) {
    self = FloorCounter()
    origin = (sample.time, sample.pressure)
    readings = 1
    // There is nothing before second 0: the first to be looked at is the first that has enough before it.
    next = 7
  }

  /// Makes room for the steps up to a second.
  private mutating func keep(_ second: Int) {
    while head < second {
      head += 1
      steps[head & 31] = 0
    }
  }

  /// Looks at the next second: what its height adds, and whether that makes a floor.
  private mutating func look(_ emit: (Floor) -> Void) {
    let second = next
    next += 1
    let change = smooth(second) - smooth(second - 1)
    roughness += 0.05 * ((change - lastChange).magnitude - roughness)
    lastChange = change
    var walked: Float = 0
    for near in (second - 2)...(second + 2) { walked += Float(steps[near & 31]) }
    let around = smooth(second + 2) - smooth(second - 3)
    let fastest = FloorCounter.steepest * walked / 5 + FloorCounter.slack
    var jump: Float = 0
    for near in (second - 1)...(second + 1) { jump = max(jump, (median(near) - median(near - 1)).magnitude) }
    if jump > fastest + FloorCounter.jump + 8 * roughness {
      // What was gained before it cannot be told from what the air gives back after it.
      (gained, lost, up, down) = (0, 0, 0, 0)
      return
    }
    let isOnFoot =
      walked >= Float(FloorCounter.fewest) && change.magnitude <= fastest && around.magnitude <= 5 * fastest
    let counted = isOnFoot ? change : 0
    let drift = isOnFoot && around.magnitude > FloorCounter.clear ? 0 : FloorCounter.drift
    gained = max(0, gained + counted - drift)
    lost = max(0, lost - counted - drift)
    if lost >= FloorCounter.turn, counted < 0 { (gained, up) = (0, 0) }
    if gained >= FloorCounter.turn, counted > 0 { (lost, down) = (0, 0) }
    if gained == 0 { up = 0 }
    if lost == 0 { down = 0 }
    let missing = FloorCounter.tolerance - 40 * max(0, roughness - 0.06)
    if gained >= (up + 1) * FloorCounter.height - missing {
      up += 1
      tell(.ascended, second, emit)
    }
    if lost >= (down + 1) * FloorCounter.height - missing {
      down += 1
      tell(.descended, second, emit)
    }
  }

  private func tell(_ direction: Floor.Direction, _ second: Int, _ emit: (Floor) -> Void) {
    guard let origin else { return }
    emit(Floor(time: origin.time + Double(second), direction: direction))
  }

  /// The height around a second, in m: the mean of three medians of five, which a spike of two seconds does not move.
  private func smooth(_ second: Int) -> Float {
    (median(second - 1) + median(second) + median(second + 1)) / 3
  }

  private func median(_ second: Int) -> Float {
    var sorted = InlineArray<5, Float>(repeating: 0)
    for i in 0..<5 {
      let value = heights[max(0, second + i - 2) & 31]
      var j = i
      while j > 0, sorted[j - 1] > value {
        sorted[j] = sorted[j - 1]
        j -= 1
      }
      sorted[j] = value
    }
    return sorted[2]
  }
}
