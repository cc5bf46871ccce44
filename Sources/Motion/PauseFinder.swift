/// Notices that the body has come to rest: the movement falls to a fraction of what it was while walking.
struct PauseFinder: Sendable {
  /// The fraction of the walk's amplitude below which the body rests, squared.
  static let restingShare: Float = 0.13
  /// The samples that it has to last (0.8 s).
  static let restingSamples: Int32 = 20

  private var fast: Float = 0
  private var reference: Float = 0
  private var resting: Int32 = 0

  /// Whether the body rests.
  var isResting: Bool { resting >= PauseFinder.restingSamples }

  /// Takes the movement's power at a sample, in g²; the reference follows only while the wearer walks.
  mutating func take(_ power: Float, walking: Bool) {
    fast += 0.2 * (power - fast)  // time constant 0.16 s
    let isLow = fast < PauseFinder.restingShare * reference
    resting = isLow ? resting &+ 1 : 0
    if walking, !isLow {
      reference += 0.019_607_84 * (fast - reference)  // time constant 2 s
    } else if !walking {
      reference = fast
    }
  }

  /// Takes the present movement for walking: to be called when a bout is confirmed.
  mutating func begin(_ power: Float) {
    reference = max(power, fast)
    resting = 0
  }
}
