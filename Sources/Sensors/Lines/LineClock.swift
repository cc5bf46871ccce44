/// Maps the time that lines carry onto the boot time.
///
/// The first line was taken now. Later ones are as much later as they say, so that the jitter of a pipe or a radio does
/// not reach the samples; small disorder is handed on. Where the sender's clock jumps (back by more than a second: it
/// started anew; forward by more than ten: it was set), a line is now again, yet later than the line before by at least
/// the second that lets the motion engine see a gap.
struct LineClock: Sendable {
  /// How far a sender's clock may go back, in seconds, and still be the same clock.
  private static let back = 1.0
  /// How far it may go forward between two lines, in seconds.
  private static let forward = 10.0

  private var offset: Double?
  private var last = 0.0
  private var isAnother = false

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
    return begin
  }
}
