/// Says an activity only when it has lasted.
struct ActivityFilter: Sendable {
  /// How long a new activity has to last before it is said, in looks of 0.24 s (2.4 s).
  static let needed = 10

  private var current: MotionActivity.Flags?
  private var candidate: MotionActivity.Flags = []
  private var candidateSince = 0.0
  private var lasted = 0

  /// Takes what seems to go on at a time; returns the activity when it changes.
  mutating func take(_ seen: MotionActivity.Flags, time: Double) -> MotionActivity? {
    if seen != candidate {
      candidate = seen
      candidateSince = time
      lasted = 0
    }
    lasted += 1
    guard lasted >= ActivityFilter.needed, candidate != current else { return nil }
    current = candidate
    return MotionActivity(candidate, confidence: .medium, start: candidateSince)
  }
}
