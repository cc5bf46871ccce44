internal import Motion
internal import Wire

/// Adds steps up: to the session, the day and the total, and into the step record that is being filled.
struct Tally: Sendable, Equatable {
  /// Steps that are in no record yet; they all lie on one day.
  private struct Filling: Sendable, Equatable {
    var start: Int64
    var end: Int64
    var day: Int64
    var steps = 0
    var distance = 0.0
    var activeSeconds = 0.0
  }

  let boot: String
  private(set) var counts: Counts
  private(set) var isWalking = false
  private(set) var activity = MotionActivity.Kind.unknown
  private(set) var confidence = MotionActivity.Confidence.low
  private var cadence = 0.0
  private var pace: Double?
  private var filling: Filling?
  /// Steps before this moment, in ms on the monotonic clock, are not the session's.
  private var sessionFloor: Int64 = 0

  init(boot: String, counts: Counts) {
    self.boot = boot
    self.counts = counts
  }

  /// Whether steps wait for a record.
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
    credit(day: day, length: length, duration: duration, moment: end, at: now)
    cadence = step.cadence.isFinite ? Double(max(0, step.cadence)) : 0
    pace = length > 0 && cadence > 0 ? 1 / (cadence * length) : nil
    return closed
  }

  private mutating func credit(day: Int64, length: Double, duration: Double, moment: Int64, at now: Instant) {
    counts.total += 1
    if case .running(var session) = counts.tracking, moment >= sessionFloor {
      session.steps += 1
      session.distance += length
      session.activeSeconds += duration
      counts.tracking = .running(session)
    }
    turnDay(at: now)
    if !now.synchronized {
      counts.today.steps += 1
      counts.today.undated += 1
    } else if counts.today.day == day {
      counts.today.steps += 1
    }
  }

  /// Begins another day if one has come.
  mutating func turnDay(at now: Instant) {
    counts.today.turn(to: now.day(at: now.monotonic), synchronized: now.synchronized)
  }

  /// Ends the record that is being filled; nil if no steps wait.
  mutating func close(at now: Instant) -> Record? {
    guard let filled = filling else { return nil }
    filling = nil
    let body = StepsBody(
      sessionSteps: counts.session?.steps ?? 0, todaySteps: counts.today.steps, totalSteps: counts.total,
      distance: filled.distance, cadence: cadence,
      pace: filled.distance > 0 ? filled.activeSeconds / filled.distance : nil, activity: activity)
    return Record(
      kind: .steps, boot: boot, monotonicStart: filled.start, monotonicEnd: filled.end,
      wallStart: now.wall(at: filled.start), wallEnd: now.wall(at: filled.end), synchronized: now.synchronized,
      steps: filled.steps, distance: filled.distance, activeSeconds: filled.activeSeconds, body: body.members)
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
    counts.tracking = .running(Counts.Session(start: now.wall))
    sessionFloor = now.monotonic
  }

  /// Begins a session with what the history holds since an earlier start.
  mutating func begin(from session: Counts.Session) {
    counts.tracking = .running(session)
    sessionFloor = 0
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
    if let day = own.today.day { counts.today.turn(to: day, synchronized: true) }
    counts.today.steps += own.today.steps
    counts.today.undated += own.today.undated
    switch (known.tracking, own.tracking) {
    case (_, .never): break
    case (.running(let before), .running(let now)): counts.tracking = .running(before.joined(to: now))
    case (.running(let before), .ended(let now)): counts.tracking = .ended(before.joined(to: now))
    case (.never, _), (.ended, _): if !isSessionGuessed { counts.tracking = own.tracking }
    }
  }

  /// Dates the session anew when the clock was put right, by so many ms.
  mutating func shift(by milliseconds: Int64) {
    switch counts.tracking {
    case .never: break
    case .running(var session):
      session.start += milliseconds
      counts.tracking = .running(session)
    case .ended(var session):
      session.start += milliseconds
      counts.tracking = .ended(session)
    }
  }

  /// The snapshot of now, every counted step included.
  func snapshot(epoch: String, seq: Int64, sensor: Bool, at now: Instant) -> DeviceState {
    var state = DeviceState(time: now.wall, epoch: epoch, seq: seq)
    state.started = counts.isRunning
    state.sessionStart = counts.isRunning ? counts.session?.start : nil
    state.walking = isWalking
    state.activity = activity
    state.confidence = confidence
    state.sessionSteps = counts.session?.steps ?? 0
    state.todaySteps = counts.today.steps
    state.totalSteps = counts.total
    state.distance = counts.session?.distance ?? 0
    state.cadence = cadence
    state.pace = pace
    if let session = counts.session, session.distance > 0 {
      state.activePace = session.activeSeconds / session.distance
    }
    state.sensor = sensor
    state.synchronized = now.synchronized
    return state
  }
}
