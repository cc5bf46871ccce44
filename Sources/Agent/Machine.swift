internal import Motion
internal import Wire

/// The agent's whole behaviour as a value: events and time in, effects out; no I/O, no clock, no chance of its own.
///
/// Its rules: nothing is published that is not on disk (`Ledger`, one commit in flight), save the steps of 5 s while
/// the wearer walks (`Lag`); live goes before history
/// (`Publisher`, `Replay`); commands are followed one after the other, and what acknowledges a command to the broker
/// comes only after its commit (`CommandDesk`).
public struct Machine: Sendable {
  /// What there is of a sensor.
  enum Sensor: Sendable, Equatable {
    case closed
    case opening
    case open(SensorIdentity)
    case lost(SensorLoss, isTold: Bool)
    case ended
  }

  /// What there is of a barometer.
  enum Barometer: Sendable, Equatable {
    case unknown
    case absent
    case open
    case lost(String)
  }

  /// How far the end has come.
  enum Phase: Sendable, Equatable {
    case running
    /// The engine gives what it holds back.
    case finishing(deadline: Int64)
    /// Everything counted goes to disk.
    case flushing(deadline: Int64)
    /// What is committed goes live.
    case draining(deadline: Int64)
    /// `offline` is on its way.
    case parting(deadline: Int64)
    /// The last acknowledgements go to disk.
    case closing(deadline: Int64)
    case left
  }

  /// How long leaving may take, in ms; the process has 5 s, and on a slow machine closes its journal in the last of them.
  static let leavingTime: Int64 = 4000
  /// How often `health` goes out, in ms.
  static let healthInterval: Int64 = 60_000
  /// How soon `health` tells of what is new, in ms: some more may come with it.
  static let soon: Int64 = 2000
  /// How often the journal's bounds are looked at, in ms.
  static let trimInterval: Int64 = 60_000
  /// From how many ms on a difference between the clocks is a step of the wall clock, not slewing.
  static let clockTolerance: Int64 = 2000

  var configuration: Machine.Configuration
  var epoch: String
  /// The epochs before, of which records may still have to be sent.
  var formerEpochs: [Memory.Former]
  /// Why a new epoch began, as an event is to say.
  var epochReason: String?
  var overrides: Memory.Overrides
  var tally: Tally
  var ledger: Ledger
  var desk = CommandDesk()
  var publisher: Publisher
  var sensor = Sensor.closed
  /// What was last said to be wrong with what it gives.
  var sensorWarning: String?
  var barometer = Barometer.unknown
  /// What was learnt of the accelerometer, which stays known when it is closed.
  var knownSensor = Capabilities.Sensor.unknown
  var phase = Phase.running
  var random: Randomness
  /// The snapshot that others see: the last that is on disk, or of which nothing but steps that may lag is not.
  var shown: DeviceState
  /// Whether something other than steps, events and answers has to be written.
  var memoryIsDue = false
  var lastUpdate: Int64?
  var start: Instant?
  var last: Instant?
  var healthDue: Int64 = 0
  var trimsDue: Int64 = 0
  var samplesThen: (count: Int, at: Int64)?
  var parked = 0
  /// What is wrong with the signal, as an event told it.
  var degradation: [SignalFault] = []
  /// How often the sensor was lost since the start.
  var sensorLosses = 0
  /// Bounds the events of a sensor that comes and goes, such as one with a loose contact: 6 at once, then 6 an hour.
  var sensorTold = TokenBucket(rate: 6.0 / 3600, burst: 6)
  /// How the clock of this boot stands, as the journal was told.
  var clockOffset: Int64?
  var damagedFile: String?
  /// Whether the journal could not be opened yet: nobody knows the epoch and the totals, so that neither is told.
  var awaitsJournal: Bool
  /// Answers whose commit became the opening of the journal: they ride with the next.
  var lateReplies: [Reply] = []
  /// Whether the running session is a guess, made since nobody knows whether one ran.
  var isSessionGuessed = false
  var places: Places
  var told = Told(steps: 0)
  /// Answers of before the restart, whose bodies the journal is asked for, in this order.
  var owed: [Owed]
  var effects: [Effect] = []

  /// Makes a machine that knows what the journal knew.
  public init(_ configuration: Machine.Configuration, restored: Restored) {
    self.configuration = configuration
    var random = Randomness(seed: configuration.seed)
    let (memory, reason) = Memory.recall(restored, newEpoch: random.name())
    self.random = random
    epoch = memory.epoch
    formerEpochs = memory.former ?? []
    epochReason = reason
    overrides = memory.overrides
    tally = Tally(boot: configuration.boot, counts: memory.counts)
    ledger = Ledger(nextSeq: max(memory.nextSeq, restored.lastSeq + 1), depth: restored.unacknowledged)
    publisher = Publisher(configuration)
    owed = memory.owed ?? []
    places = Places(configuration.places, memory.places)
    damagedFile = restored.damagedFile
    awaitsJournal = restored.isAwaited
    shown = DeviceState(time: 0, epoch: memory.epoch, seq: 0)
  }

  /// The moment, in ms on the monotonic clock, at which `Event.tick` is wanted; nil for none.
  public var nextDeadline: Int64? { phase == .left ? nil : deadlines.min() }

  /// Takes an event and says what to do about it, in order.
  public mutating func handle(_ event: Machine.Event, at now: Instant) -> [Effect] {
    guard phase != .left else { return [] }
    watchClock(at: now)
    switch event {
    case .begin: begin(at: now)
    case .tick: break
    case .motion(let motion): take(motion, at: now)
    case .motionFinished: motionFinished(at: now)
    case .sensor(let report): take(report, at: now)
    case .barometer(let report): take(report, at: now)
    case .vitals(let vitals): publishHealth(vitals, at: now)
    case .broker(let report): take(report, at: now)
    case .journal(let report): take(report, at: now)
    case .location(let report): if phase == .running { take(report, at: now) }
    case .configured(let configuration): take(configuration, at: now)
    case .stop: leave(at: now)
    }
    settle(at: now)
    defer { effects.removeAll(keepingCapacity: true) }
    return effects
  }

  /// Does whatever has become possible or due.
  private mutating func settle(at now: Instant) {
    turnDay(at: now)
    followCommands(at: now)
    settlePlaces(at: now)
    commitIfDue(at: now)
    notifyIfDue(at: now)
    sendWhatMay(at: now)
    if now.monotonic >= healthDue {
      healthDue = now.monotonic + Self.healthInterval
      effects.append(.takeVitals)
    }
    if now.monotonic >= trimsDue, phase == .running, ledger.trim == nil {
      trimsDue = now.monotonic + Self.trimInterval
      effects.append(askForTrim(at: now))
    }
    progressLeaving(at: now)
  }

  private var deadlines: [Int64] {
    var times = [healthDue]
    if let last, last.synchronized { times.append(last.nextMidnight) }
    if phase == .running, ledger.trim == nil { times.append(trimsDue) }
    let now = last?.monotonic ?? 0
    if ledger.flight == nil {
      if let fault = ledger.fault {
        times.append(fault.retryAt)
      } else {
        if tally.hasSteps { times.append((lastUpdate ?? now) + updateInterval) }
        if let due = ledger.lag.due { times.append(due) }
        if let due = bookkeepingDue, !tally.hasSteps { times.append(due) }
      }
    }
    let canReplay = ledger.trim == nil || !publisher.replay.buffer.isEmpty
    if publisher.isUp, phase == .running, canReplay, let due = publisher.historyDeadline(after: now) {
      times.append(due)
    }
    if let due = publisher.retryDeadline(after: now) { times.append(due) }
    if let due = publisher.clock.deadline { times.append(due) }
    if phase == .running, let due = places.monitor.deadline { times.append(due) }
    if let due = notificationDeadline { times.append(due) }
    switch phase {
    case .running, .left: break
    case .finishing(let deadline), .flushing(let deadline), .draining(let deadline), .parting(let deadline),
      .closing(let deadline):
      times.append(deadline)
    }
    return times
  }

  /// Else a first run looks like one that hangs.
  private mutating func sayThatNobodyCounts() {
    effects.append(
      .log(
        .info,
        "no session runs, so that the sensor is closed: 'start' on \(configuration.topics.command) begins one, "
          + "or tracking.start: always"))
  }

  private mutating func begin(at now: Instant) {
    start = now
    healthDue = now.monotonic + min(5000, Self.healthInterval)
    trimsDue = now.monotonic + Self.trimInterval
    askForOwed(owed)
    if let damagedFile { record(.journalDamaged(file: damagedFile), at: now) }
    tellOfEpoch(at: now)
    tellOfUnreadRegions()
    effects.append(.configureMotion(wearer))
    if awaitsJournal { guessSession(at: now) } else { settleSession(at: now) }
    if tally.counts.isRunning || configuration.counting == .always { openSensor() } else { sayThatNobodyCounts() }
    shown = snapshot(at: now)
    told.steps = shown.totalSteps
    memoryIsDue = true
  }

  /// Begins or ends the session as the configuration wants it at a start.
  mutating func settleSession(at now: Instant) {
    switch configuration.start {
    case .last: break
    case .always:
      if !tally.counts.isRunning { startSession(reason: .configuration, at: now) }
    case .never:
      if tally.counts.isRunning { endSession(reason: .configuration, at: now) }
    }
  }

  /// How often step records are made, in ms.
  var updateInterval: Int64 { overrides.updateInterval ?? configuration.updateInterval }

  /// What the engine is to know about its wearer.
  var wearer: Pedometer.Configuration {
    var wearer = configuration.wearer
    if let height = overrides.height { wearer.height = height }
    if let length = overrides.stepLength { wearer.stepLength = length > 0 ? length : nil }
    return wearer
  }

  /// The snapshot of now; `seq` is the last numbered record's.
  func snapshot(at now: Instant) -> DeviceState {
    var state = tally.snapshot(epoch: epoch, seq: ledger.nextSeq - 1, sensor: presence, at: now)
    state.regions = places.monitor.surrounding?.map(\.id)
    return state
  }

  /// What there is of the sensor, for the state.
  var presence: DeviceState.Sensor {
    switch sensor {
    case .open: .present
    case .closed, .opening: .closed
    case .lost: .absent
    case .ended: .ended
    }
  }

  /// Whether a sensor is open that never pauses, so that samples must come.
  var samplesAreDue: Bool {
    switch sensor {
    case .open(let identity): identity.isSteady
    case .closed, .opening, .lost, .ended: false
    }
  }

  /// Records an event that happened now or at a moment of the monotonic clock, after the steps counted before it.
  mutating func record(_ body: EventBody, naming steps: Int = 0, at now: Instant, moment: Int64? = nil) {
    closeSteps(at: now)
    var record = event(body, at: now, moment: moment ?? now.monotonic)
    record.steps = steps
    ledger.append(record)
  }

  /// An event's record, not yet numbered.
  func event(_ body: EventBody, at now: Instant, moment: Int64) -> Record {
    Record(
      kind: .event, boot: configuration.boot, monotonicStart: moment, monotonicEnd: moment,
      wallStart: now.wall(at: moment), wallEnd: now.wall(at: moment), synchronized: now.synchronized,
      body: body.members)
  }

  /// Makes a record of the steps that wait for one.
  mutating func closeSteps(at now: Instant) {
    guard let steps = tally.close(at: now) else { return }
    lastUpdate = now.monotonic
    ledger.append(steps)
  }
}
