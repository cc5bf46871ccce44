/// Maps the time that lines carry onto the boot time.
///
/// The first line was taken now. Later ones are as much later as they say, so that the jitter of a pipe or a radio does
/// not reach the samples; small disorder is handed on. Where the sender's clock jumps (back by more than a second: it
/// started anew; forward by more than ten: it was set), a line is now again, yet later than the line before by at least
/// the second that lets the motion engine see a gap. No two clocks go alike: one that goes slower or faster is followed.
struct LineClock: Sendable {
  /// How far a sender's clock may go back, in seconds, and still be the same clock.
  private static let back = 1.0
  /// How far it may go forward between two lines, in seconds.
  static let forward = 10.0
  /// How late a line may come, and how early, in seconds, without a doubt about the sender's clock.
  private static let tolerated = -1.0...1.0
  /// How much of its own time the sender's clock is set by: the worst oscillators of small boards err by 1 %.
  private static let steering = 0.02

  private var offset: Double?
  private var last = 0.0
  private var isAnother = false
  /// The boot time of the newest line when the clock was steered last.
  private var steered: Double?

  /// Says that the next line is by another clock, whatever it shows.
  mutating func restart() { isAnother = true }

  /// The boot time of a line's time, both in seconds; `now` is the boot time.
  mutating func map(_ time: Double, now: Double) -> Double {
    if let offset, !isAnother, time >= last - Self.back, time <= last + Self.forward {
      last = time
      return time + offset
    }
    let begin = offset.map { max(now, last + $0 + 1) } ?? now
    offset = begin - time
    isAnother = false
    last = time
    steered = nil
    return begin
  }

  /// Follows a sender's clock that drifts, by the boot time of the newest line and the boot time of now.
  ///
  /// Lines that come far ahead of time, as those of a file in a pipe, say nothing about a clock. Their `spacing`, in
  /// seconds, bounds how far it is set back: else the next lines would lie before those that were handed on.
  mutating func steer(newest: Double, now: Double, spacing: Double = .infinity) {
    defer { steered = newest }
    let late = now - newest
    guard let offset, let steered, newest > steered, late.magnitude < Self.forward else { return }
    let excess = late - min(max(late, Self.tolerated.lowerBound), Self.tolerated.upperBound)
    let most = (newest - steered) * Self.steering
    self.offset = offset + min(max(excess, -min(most, spacing / 2)), most)
  }
}
