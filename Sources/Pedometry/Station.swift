internal import Motion
internal import Sensors

/// What a device does: one source, one engine, everybody's updates, and the history of it all.
actor Station {
  /// The rate that is asked for, in samples/s.
  static let rate = 50.0
  /// How long steps are gathered before they go to disk, in s: each time is a write.
  private static let gathering = 5.0
  /// How long a source that could not be run is left alone.
  private static let retrying = Duration.seconds(10)

  private let configuration: MotionDevice.Configuration
  private let history: History
  private var engine: Motion.Pedometer
  private var running: Task<Void, Never>?
  /// The moment since 1970 that the samples' clock began at, in s.
  private var epoch = 0.0
  /// When the latest sample was taken, in s since 1970.
  private var latest = 0.0
  private var hasBarometer = false
  private var pending: Motion.PedometerData?
  private var begun: [Motion.MotionActivity] = []
  /// What is on its way to the history: whoever asks it waits, or would miss steps that were told already.
  private var writing: Task<Void, Never>?
  /// Whether the history is being asked, so that nothing may be added to it.
  private var isAsking = false
  private var subscriptions: [Subscription] = []
  /// Why there are no samples now: the last failure, or the end; nil while there are some, or nobody knows better.
  private var silence: Delivery?

  init(_ configuration: MotionDevice.Configuration) {
    self.configuration = configuration
    history = History(directory: configuration.historyDirectory)
    typealias Wearer = Motion.Pedometer.Configuration
    var wearer = Wearer()
    if Wearer.heights.contains(configuration.height) { wearer.height = Float(configuration.height) }
    if let length = configuration.stepLength, Wearer.stepLengths.contains(length) { wearer.stepLength = Float(length) }
    engine = Motion.Pedometer(wearer)
  }

  /// Follows an order.
  func follow(_ order: Order) async {
    switch order {
    case .begin(let subscriber): await begin(subscriber)
    case .end(let id):
      subscriptions.removeAll { $0.subscriber.id == id }
      if subscriptions.isEmpty { await stop() }
    case .ask(.data(let from, let to, let answer)):
      await flush()
      answer(await total(from: from, to: to).map { PedometerData($0) })
    case .ask(.activities(let from, let to, let answer)):
      await flush()
      answer(await history.activities(from: from, to: to))
    }
  }

  /// Ends everything, since nobody is left to ask.
  func close() async {
    await stop()
    await history.close()
  }

  private func begin(_ subscriber: Subscriber) async {
    var subscription = Subscription(subscriber, hasBarometer: hasBarometer)
    if case .data(let from) = subscriber.wish, from < now {
      await flush()
      isAsking = true
      // Steps that come meanwhile are live ones of this subscription: it is there already.
      subscriptions.append(subscription)
      // A hurried recording dates its steps ahead of now.
      let known = await history.total(from: from, to: .greatestFiniteMagnitude)
      isAsking = false
      if let index = subscriptions.firstIndex(where: { $0.subscriber.id == subscriber.id }) {
        subscription = subscriptions.remove(at: index)
      }
      if case .success(let known) = known { subscription.put(onTopOf: known, at: now) }
    }
    subscriptions.append(subscription)
    // Whoever comes later hears what the others were told.
    if let silence { subscriber.deliver(silence) }
    start()
  }

  /// The moment by the samples' clock while it runs ahead of the wall clock, as in a hurried recording.
  private var now: Double { max(latest, Date().timeIntervalSince1970) }

  private func total(from: Double, to: Double) async -> Result<Motion.PedometerData, MotionError> {
    guard from < to else { return .failure(MotionError(.invalidParameter, "the interval ends before it starts")) }
    return await history.total(from: from, to: to)
  }

  // MARK: The source

  private func start() {
    guard running == nil else { return }
    let open = configuration.source.open
    running = Task {
      var isTriedAgain = true
      while isTriedAgain {
        let source = open()
        await withTaskGroup(of: Void.self) { group in
          if let barometer = source.barometer {
            group.addTask { await barometer.run { await self.take($0) } }
          }
          isTriedAgain = await !self.run(source.accelerometer)
          group.cancelAll()
        }
        if isTriedAgain, (try? await Task.sleep(for: Self.retrying)) == nil { return }
      }
    }
  }

  /// Runs a source; false where that could not be done.
  private func run(_ source: any AccelerometerSource) async -> Bool {
    do throws(SensorError) {
      try await source.run { await self.take($0) }
      return true
    } catch {
      fall(silent: .failure(MotionError(error)))
      return false
    }
  }

  private func stop() async {
    running?.cancel()
    await running?.value
    running = nil
    silence = nil
    engine.finish { note($0) }
    await flush()
    engine = Motion.Pedometer(engine.configuration)
  }

  /// Tells everybody why there are no samples, and whoever comes while there are none.
  private func fall(silent reason: Delivery) {
    silence = reason
    for subscription in subscriptions { subscription.subscriber.deliver(reason) }
  }

  private func take(_ event: BarometerEvent) {
    switch event {
    case .readings(let readings): take(readings)
    case .opened, .lost, .absent: break
    }
  }

  private func take(_ readings: [PressureSample]) {
    if !hasBarometer {
      hasBarometer = true
      for index in subscriptions.indices { subscriptions[index].beginFloors() }
    }
    for reading in readings { engine.take(reading) { note($0) } }
  }

  private func take(_ event: SensorEvent) async {
    switch event {
    case .opened, .found:
      silence = nil
      epoch = Date().timeIntervalSince1970 - BootTime.now()
    case .samples(let samples):
      for sample in samples { engine.take(sample) { note($0) } }
      if let last = samples.last { latest = epoch + last.time }
      tell()
      if !begun.isEmpty || latest - (pending?.start ?? latest) >= Self.gathering { await flush() }
    case .pressures(let readings): take(readings)
    case .lost(let error): fall(silent: .failure(MotionError(error)))
    case .ended:
      engine.finish { note($0) }
      await flush()
      tell(isAll: true)
      fall(silent: .end)
    case .faults, .warning: break
    }
  }

  // MARK: What the engine says

  private func note(_ event: MotionEvent) {
    switch event {
    case .step(var step):
      step.time += epoch
      gather(at: step.time - Double(step.duration)) { $0.add(step) }
    case .floor(var floor):
      floor.time += epoch
      gather(at: floor.time) { $0.add(floor) }
    case .pedometer(let event):
      let kind: PedometerEvent.Kind = event.kind == .pause ? .pause : .resume
      let told = PedometerEvent(date: Date(timeIntervalSince1970: epoch + event.time), type: kind)
      for subscription in subscriptions { subscription.tell(told) }
    case .activity(var activity):
      activity.start += epoch
      let told = MotionActivity(activity, startDate: Date(timeIntervalSince1970: activity.start))
      for subscription in subscriptions { subscription.tell(told) }
      begun.append(activity)
    }
    for index in subscriptions.indices { subscriptions[index].note(event, epoch: epoch) }
  }

  private func gather(at moment: Double, _ add: (inout Motion.PedometerData) -> Void) {
    var data = pending ?? Motion.PedometerData(start: moment, end: moment)
    if hasBarometer { data.beginFloors() }
    add(&data)
    pending = data
  }

  private func tell(isAll: Bool = false) {
    for index in subscriptions.indices { subscriptions[index].tell(at: latest, isAll: isAll) }
  }

  private func flush() async {
    guard !isAsking else { return }
    let (data, activities) = (pending, begun)
    (pending, begun) = (nil, [])
    let former = writing
    let write = Task {
      await former?.value
      await history.keep(data, activities)
    }
    writing = write
    await write.value
  }
}
