internal import Motion

/// What one subscriber was told, and is to be told next.
struct Subscription: Sendable {
  /// The least time between two updates, in s.
  private static let interval = 1.0

  let subscriber: Subscriber
  private var data: Motion.PedometerData?
  private var told = -Double.infinity
  private var isDue = false

  init(_ subscriber: Subscriber, hasBarometer: Bool) {
    self.subscriber = subscriber
    guard case .data(let from) = subscriber.wish else { return }
    data = Motion.PedometerData(start: from, end: from)
    if hasBarometer { data?.beginFloors() }
  }

  /// There is a barometer: no floor is 0 floors.
  mutating func beginFloors() { data?.beginFloors() }

  /// Adds what the history knew to what has come since; it is told with the next update.
  mutating func put(onTopOf known: Motion.PedometerData, at now: Double) {
    guard var sum = data else { return }
    sum.steps += known.steps
    sum.activeDuration += known.activeDuration
    sum.end = max(sum.end, now)
    if known.steps > 0 { sum.distance = (sum.distance ?? 0) + (known.distance ?? 0) }
    if let distance = sum.distance, distance > 0 { sum.averageActivePace = sum.activeDuration / distance }
    if let up = known.floorsAscended { sum.floorsAscended = (sum.floorsAscended ?? 0) + up }
    if let down = known.floorsDescended { sum.floorsDescended = (sum.floorsDescended ?? 0) + down }
    data = sum
    isDue = known.steps > 0
  }

  /// Takes what the engine says; steps of before the start are not meant.
  mutating func note(_ event: MotionEvent, epoch: Double) {
    guard var data else { return }
    switch event {
    case .step(var step):
      step.time += epoch
      guard step.time >= data.start else { return }
      data.add(step)
    case .floor(var floor):
      floor.time += epoch
      guard floor.time >= data.start else { return }
      data.add(floor)
    case .pedometer(let event):
      guard event.kind == .pause else { return }
      data.pause()
    case .activity: return
    }
    self.data = data
    isDue = true
  }

  /// Tells an update if there is something new and the last one is long enough ago, or this is the end of all.
  mutating func tell(at moment: Double, isAll: Bool) {
    guard let data, isDue, isAll || moment - told >= Self.interval else { return }
    isDue = false
    told = moment
    subscriber.deliver(.data(PedometerData(data)))
  }

  func tell(_ event: PedometerEvent) {
    if case .events = subscriber.wish { subscriber.deliver(.event(event)) }
  }

  func tell(_ activity: MotionActivity) {
    if case .activities = subscriber.wish { subscriber.deliver(.activity(activity)) }
  }
}
