internal import Motion

/// What a device is asked to do.
enum Order: Sendable {
  case begin(Subscriber)
  case end(UInt64)
  case ask(Question)
}

/// Who wants updates, and of what.
struct Subscriber: Sendable {
  /// What is wanted.
  enum Wish: Sendable {
    /// What was walked since a moment, in seconds since 1970.
    case data(from: Double)
    case events
    case activities
  }

  let id: UInt64
  let wish: Wish
  let deliver: @Sendable (Delivery) -> Void
}

/// What a subscriber is told.
enum Delivery: Sendable {
  case data(PedometerData)
  case event(PedometerEvent)
  case activity(MotionActivity)
  /// There is nothing to be told for now; the sensor is looked for again.
  case failure(MotionError)
  /// The recording ended.
  case end
}

/// A question to the history, of an interval in seconds since 1970.
enum Question: Sendable {
  case data(from: Double, to: Double, @Sendable (Result<PedometerData, MotionError>) -> Void)
  case activities(from: Double, to: Double, @Sendable (Result<[MotionActivity], MotionError>) -> Void)
}
