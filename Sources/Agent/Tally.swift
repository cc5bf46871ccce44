internal import Motion
internal import Wire

/// What was walked since the agent started.
struct Odometer: Sendable, Equatable {
  var steps = 0
  /// In m.
  var distance = 0.0
  /// Time on foot, in s.
  var activeSeconds = 0.0
  var floorsAscended = 0
  var floorsDescended = 0
}

/// Adds steps up: to the session, the day and the total, and into the step record that is being filled.
struct Tally: Sendable, Equatable {
  /// Steps and floors that are in no record yet; they all lie on one day.
  private struct Filling: Sendable, Equatable {
    var start: Int64
    var end: Int64
    var day: Int64
    var steps = 0
    var distance = 0.0
    var activeSeconds = 0.0
    var floorsAscended = 0
    var floorsDescended = 0
  }

  let boot: String
  private(set) var counts: Counts
  /// What was walked since the start, by which a session takes in what comes while the history is asked.
  private(set) var odometer = Odometer()
  private(set) var isWalking = false
  private(set) var activity = MotionActivity.Kind.unknown
  private(set) var confidence = MotionActivity.Confidence.low
  /// Whether there is a barometer, so that no floor is 0 floors.
  private(set) var hasFloors = false
  private var cadence = 0.0
  private var pace: Double?
  private var filling: Filling?
  /// Steps before this moment, in ms on the monotonic clock, are not the session's.
  private var sessionFloor: Int64 = 0

  init(boot: String, counts: Counts) {
    self.boot = boot
    self.counts = counts
  }

  /// Whether steps or floors wait for a record.
  var hasSteps: Bool { filling != nil }

  /// Counts a step; gives the record that ended at midnight, if this step is the first of another day.
  mutating func count(_ step: Step, at now: Instant) -> Record? {
    let end = now.monotonic(ofSample: step.time)
    let duration = step.duration.isFinite && step.duration > 0 ? min(Double(step.duration), 5) : 0
    let length = step.length.isFinite && step.length > 0 ? min(Double(step.length), 5) : 0
    let day = now.day(at: end)
    var closed: Record?
    if let filling, filling.day != day { closed = close(at: now) }
    var current = filling ?? Filling(start: max(0, end - Int64(duration * 1000)), end: end, day: day)
    current.end = max(current.end, end)
    current.steps += 1
    current.distance += length
    current.activeSeconds += duration
    filling = current
    credit(length: length, duration: duration, moment: end, at: now)
    cadence = step.cadence.isFinite ? Double(max(0, step.cadence)) : 0
    pace = length > 0 && cadence > 0 ? 1 / (cadence * length) : nil
    return closed
  }

  /// Counts a floor, which is known some seconds after it was complete; gives the record that ended at midnight.
  mutating func count(_ floor: Floor, at now: Instant) -> Record? {
    let moment = now.monotonic(ofSample: floor.time)
    let day = now.day(at: moment)
    var closed: Record?
    if let filling, filling.day != day { closed = close(at: now) }
    var current = filling ?? Filling(start: moment, end: moment, day: day)
    let (up, down) = floor.direction == .ascended ? (1, 0) : (0, 1)
    current.floorsAscended += up
    current.floorsDescended += down
    filling = current
    odometer.floorsAscended += up
    odometer.floorsDescended += down
    if case .running(var session) = counts.tracking, moment >= sessionFloor {
      session.floorsAscended = (session.floorsAscended ?? 0) + up
      session.floorsDescended = (session.floorsDescended ?? 0) + down
      counts.tracking = .running(session)
    }
    return closed
  }

  /// There is a barometer: what the session does not know of its floors is 0 from now on.
  mutating func beginFloors() {
    hasFloors = true
    guard case .running(var session) = counts.tracking else { return }
    session.floorsAscended = session.floorsAscended ?? 0
    session.floorsDescended = session.floorsDescended ?? 0
    counts.tracking = .running(session)
  }

  private mutating func credit(length: Double, duration: Double, moment: Int64, at now: Instant) {
    counts.total += 1
    odometer.steps += 1
    odometer.distance += length
    odometer.activeSeconds += duration
    if case .running(var session) = counts.tracking, moment >= sessionFloor {
      session.steps += 1
      session.distance += length
      session.activeSeconds += duration
      counts.tracking = .running(session)
    }
    _ = turnDay(at: now)
    counts.today.count(at: moment, boot: boot, now: now)
  }

  /// Begins another day of the wearer's if one has come; true if so.
  mutating func turnDay(at now: Instant) -> Bool { counts.today.turn(to: now, boot: boot) }

  /// Ends the record that is being filled; nil if no steps wait.
  mutating func close(at now: Instant) -> Record? {
    guard let filled = filling else { return nil }
    filling = nil
    let body = StepsBody(
      sessionSteps: counts.session?.steps ?? 0, todaySteps: counts.today.steps, totalSteps: counts.toldTotal,
      distance: filled.distance, cadence: cadence,
      pace: filled.distance > 0 ? filled.activeSeconds / filled.distance : nil, activity: activity)
    return Record(
      kind: .steps, boot: boot, monotonicStart: filled.start, monotonicEnd: filled.end,
      wallStart: now.wall(at: filled.start), wallEnd: now.wall(at: filled.end), synchronized: now.synchronized,
      steps: filled.steps, distance: filled.distance, activeSeconds: filled.activeSeconds,
      floorsAscended: hasFloors ? filled.floorsAscended : nil,
      floorsDescended: hasFloors ? filled.floorsDescended : nil, body: body.members)
  }

  /// Walking ended or began.
  mutating func walk(_ walking: Bool) {
    isWalking = walking
    if !walking { still() }
  }

  /// The activity changed.
  mutating func take(_ new: MotionActivity) {
    activity = new.kind
    confidence = new.confidence
  }

  /// The sensor is closed or gone: nobody knows what the wearer does.
  mutating func forget() {
    isWalking = false
    activity = .unknown
    confidence = .low
    still()
  }

  private mutating func still() {
    cadence = 0
    pace = nil
  }

  /// Begins a session that counts from now on.
  mutating func begin(at now: Instant) {
    let undated = now.synchronized ? nil : Counts.Undated(boot: boot, monotonic: now.monotonic)
    counts.tracking = .running(Counts.Session(start: now.wall, undated: undated))
    sessionFloor = now.monotonic
    if hasFloors { beginFloors() }
  }

  /// Begins a session with what the history holds since an earlier start.
  mutating func begin(from session: Counts.Session, at now: Instant) {
    counts.tracking = .running(session)
    sessionFloor = now.monotonic - (now.wall - session.start)
    if hasFloors { beginFloors() }
  }

  /// Ends the session, whose figures stay on show.
  mutating func end() {
    if case .running(let session) = counts.tracking { counts.tracking = .ended(session) }
  }

  /// Puts what was counted since the start on top of what a journal knew that was opened only later.
  ///
  /// - Parameters:
  ///   - known: what the journal knew.
  ///   - isSessionGuessed: whether the running session was begun by nobody.
  mutating func add(to known: Counts, isSessionGuessed: Bool) {
    let own = counts
    counts = known
    counts.total += own.total
    counts.today.add(own.today)
    switch (known.tracking, own.tracking) {
    case (_, .never): break
    case (.running(let before), .running(let now)): counts.tracking = .running(before.joined(to: now))
    case (.running(let before), .ended(let now)): counts.tracking = .ended(before.joined(to: now))
    case (.never, _), (.ended, _): if !isSessionGuessed { counts.tracking = own.tracking }
    }
  }

  /// Dates a session anew that began when nobody knew the date.
  mutating func dateSession(at now: Instant) {
    guard var session = counts.session, let undated = session.undated, undated.boot == boot else { return }
    let start = now.wall(at: undated.monotonic)
    // What two clocks differ by when they are read one after the other is no other date.
    if abs(start - session.start) > Machine.clockTolerance { session.start = start }
    if now.synchronized { session.undated = nil }
    counts.tracking = counts.isRunning ? .running(session) : .ended(session)
  }

  /// The snapshot of now, every counted step included.
  func snapshot(epoch: String, seq: Int64, sensor: DeviceState.Sensor, at now: Instant) -> DeviceState {
    var state = DeviceState(time: now.wall, epoch: epoch, seq: seq)
    state.started = counts.isRunning
    state.sessionStart = counts.isRunning ? counts.session?.start : nil
    state.walking = isWalking
    state.activity = activity
    state.confidence = confidence
    state.sessionSteps = counts.session?.steps ?? 0
    state.todaySteps = counts.today.steps
    state.totalSteps = counts.toldTotal
    state.distance = counts.session?.distance ?? 0
    state.cadence = cadence
    state.pace = pace
    if let session = counts.session, session.distance > 0 {
      state.activePace = session.activeSeconds / session.distance
    }
    state.floorsAscended = counts.session?.floorsAscended
    state.floorsDescended = counts.session?.floorsDescended
    state.sensor = sensor
    state.synchronized = now.synchronized
    return state
  }
}
