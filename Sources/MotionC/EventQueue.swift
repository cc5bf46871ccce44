import CMotion

/// Events in the order in which they came, a bounded number of them.
struct EventQueue {
  /// The most events that wait: more than the steps of the longest bout that is confirmed at once (96), with what goes
  /// with them.
  static let capacity = 128

  private var events = InlineArray<128, motion_event_t>(repeating: motion_event_t())
  private var first = 0
  private var count = 0

  /// Adds an event; false when there is no room, and it is lost.
  mutating func push(_ event: motion_event_t) -> Bool {
    guard count < EventQueue.capacity else { return false }
    events[(first &+ count) & 127] = event
    count &+= 1
    return true
  }

  /// Takes the oldest event.
  mutating func pop() -> motion_event_t? {
    guard count > 0 else { return nil }
    let event = events[first]
    first = (first &+ 1) & 127
    count &-= 1
    return event
  }
}
