/// The engine at its even 25 Hz: signals, period, gate, beats, and what follows from them.
struct Engine: Sendable {
  /// The samples between two looks at the period and at the chain (0.24 s), and between two looks of the gate.
  private static let hop: Int32 = 6
  private static let gateHop: Int32 = 12
  /// The mean square of the movement below which the device lies still, in g²: 0.014 g, what the noise of poor sensors gives.
  private static let stillPower: Float = 2e-4
  /// The samples that what the gate is told is behind now (1.2 s).
  private static let gateDelay: Int32 = 30
  /// The number of samples after which they are numbered anew (16 months), long before the numbers end.
  ///
  /// It is a multiple of all by which sample numbers are divided.
  static let era: Int32 = 699_050 * 1536
  /// What a walk that goes on is likelier to be one than what begins, as a logarithm of odds.
  private static let constancy: Float = 2.7

  private var now: Int32 = 0
  private var time = 0.0
  private var signals = Signals()
  private var correlation = Autocorrelation()
  private var moments = Moments()
  private let network: Network
  private var judgement = Network.Judgement()
  private var period = PeriodFinder()
  private var tracker = BeatTracker()
  private var gate = Gate()
  private var bout = Bout()
  private var pause: PauseFinder
  private var isStill = false
  private var hasRested = false
  private var isWalking = false
  private var walkingSince = 0.0
  private var cadence: Float = 0
  private var activity = ActivityFilter()

  /// Makes an engine that has seen nothing, and numbers samples from some number on.
  init(network: Network = Network(), pause: PauseFinder = PauseFinder(), now: Int32 = 0) {
    self.network = network
    self.pause = pause
    self.now = now
  }

  /// The number of looks so far, and the features of the moment.
  private(set) var looks: Int32 = 0
  mutating func features() -> Features { Features(&correlation, period, moments, level: signals.level) }

  /// The number of looks for a pause that were due so far, and what was looked at last; nil where there is no walk to end.
  var pauseLooks: Int32 { now / Engine.hop }
  mutating func pauseFeatures() -> PauseFinder.Features? {
    guard gate.isOpen, bout.isConfirmed else { return nil }
    let turn = signals.gravity - signals.slowGravity
    let step = Int(period.period + 0.5)
    return pause.features(
      beatless: now &- bout.lastBeat, unsteadiness: period.unsteadiness, turning: (turn * turn).spatialTotal,
      alike: (correlation.bounce(step), correlation.swing(step)), period: period.period)
  }

  /// Begins a new signal after a gap: nothing before it has to do with what comes.
  mutating func interrupt(_ configuration: Pedometer.Configuration, _ emit: (MotionEvent) -> Void) {
    finish(configuration, emit)
    signals = Signals()
    correlation = Autocorrelation()
    judgement = Network.Judgement()
    tracker.reset(at: now)
    gate.reset(at: now)
    isStill = false
    hasRested = false
  }

  /// Whether the device lies still, and this sample and the one before it say nothing else.
  @inline(__always)
  mutating func rests(at acceleration: SIMD4<Float>) -> Bool {
    guard isStill else { return false }
    let rested = hasRested
    hasRested = signals.isAtRest(acceleration)
    return rested && hasRested
  }

  /// Lets some times 40 ms go by in which the device lay still, the last of them at a time in s.
  @inline(__always)
  mutating func rest(for count: Int32, until end: Double, _ emit: (MotionEvent) -> Void) {
    time = end
    for _ in 0..<count {
      now &+= 1
      if now % Engine.hop == 0 { updateResting(emit) }
    }
  }

  /// Takes the next 40 ms.
  mutating func take(
    _ sample: Resampler.Output, _ configuration: Pedometer.Configuration, _ emit: (MotionEvent) -> Void
  ) {
    now &+= 1
    time = sample.time
    if isStill, signals.isAtRest(sample.acceleration) {
      if now % Engine.hop == 0 { updateResting(emit) }
      return
    }
    signals.take(sample.acceleration)
    if signals.agitation < Engine.stillPower {
      rest(configuration, emit)
      return
    }
    if isStill {
      isStill = false
      hasRested = false
      tracker.reset(at: now)
      correlation.clear()
      judgement = Network.Judgement()
    }
    correlation.take(bounce: signals.bounce, swing: signals.swing, updating: now & 1 == 0)
    moments.take(&signals, leastSquare: 0.04 * correlation.bouncePower)
    tracker.take(signals.beat(isFast: period.isFast), now: now)
    pause.take(&signals)
    guard now % Engine.hop == 0 else { return }
    if now >= Engine.era { beginEra() }
    correlation.relate()
    period.update(&correlation, isOnTheRun: judgement[.running] > 0.5)
    tracker.setPeriod(period.period)
    if now % Engine.gateHop == 0 { look(configuration, emit) }
    if gate.isOpen { credit(configuration, emit) }
    pause.endHop(isWalking: gate.isOpen && bout.isConfirmed)
    if pause.isInDoubt, let features = pauseFeatures(), pause.hasStopped(features) {
      close(configuration, emit)
      correlation.fade()  // what comes is not to be taken for the walk that was
    }
    updateActivity(emit)
  }

  /// Ends the signal: what is certain is counted, and a walk ends.
  mutating func finish(_ configuration: Pedometer.Configuration, _ emit: (MotionEvent) -> Void) {
    if gate.isOpen {
      lookAhead()
      close(configuration, emit)
    }
    pauseWalking(emit)
  }

  /// Lets the chain reach the last sample, as if the body had come to rest there.
  private mutating func lookAhead() {
    gate.extend(to: now)
    for _ in 0..<BeatTracker.delay {
      now &+= 1
      time += Resampler.interval
      signals.take(signals.gravity)
      tracker.take(signals.beat(isFast: period.isFast), now: now)
    }
  }

  private mutating func rest(_ configuration: Pedometer.Configuration, _ emit: (MotionEvent) -> Void) {
    if !isStill {
      isStill = true
      if gate.isOpen { close(configuration, emit) }
      gate.reset(at: now)
    }
    if now % Engine.hop == 0 { updateResting(emit) }
  }

  @inline(never)
  private mutating func updateResting(_ emit: (MotionEvent) -> Void) {
    if now >= Engine.era { beginEra() }
    if now % Engine.gateHop == 0 { activity.take(nil) }
    updateActivity(emit)
  }

  /// Numbers the samples anew.
  private mutating func beginEra() {
    now &-= Engine.era
    gate.renumber(by: Engine.era)
    bout.renumber(by: Engine.era)
    tracker.renumber(by: Engine.era)
  }

  private mutating func look(_ configuration: Pedometer.Configuration, _ emit: (MotionEvent) -> Void) {
    looks &+= 1
    var features = features()
    judgement = network.judge(&features)
    activity.take(judgement)
    let doubts = Doubts(period.period, &correlation, moments, level: signals.level)
    let odds = doubts.logOdds(of: judgement, configuration.sensitivity)
    // A walk likely goes on, and seldom begins on a ride.
    switch gate.take(goesOn && !doubts.isPedalled ? odds + Engine.constancy : odds - activity.riding, at: now) {
    case .none:
      break
    case .opened:
      bout.begin()
    case .closed:
      gateClosed(configuration, emit)
    }
  }

  /// Whether the beats of a confirmed bout go on without a gap.
  private var goesOn: Bool {
    gate.isOpen && bout.isConfirmed && Float(now &- bout.lastBeat) < Float(BeatTracker.delay) + 1.3 * period.period
  }

  private mutating func credit(_ configuration: Pedometer.Configuration, _ emit: (MotionEvent) -> Void) {
    let begun = gate.floorAt &- Engine.gateDelay
    let afterLast = bout.lastStep &+ Int32(period.period * 0.5)
    let limit = bout.isConfirmed ? afterLast : max(begun &- Bout.lookBack, afterLast)
    let previous = bout.lastStep
    guard let lastBeat = tracker.lastBeat(after: limit, now: now) else { return }
    var chain = BeatTracker.Chain()
    tracker.trace(&chain, from: lastBeat, after: limit, now: now)
    let count = bout.steps(
      in: &chain, begun: begun, until: gate.certainUntil &- Gate.margin,
      leastHeight: configuration.sensitivity == .high ? 0.018 : Bout.leastHeight)
    guard count > 0 else { return }
    var last = previous
    for i in 0..<count {
      emitStep(at: chain.samples[i], after: last, configuration, emit)
      last = chain.samples[i]
    }
  }

  private mutating func emitStep(
    at sample: Int32, after previous: Int32, _ configuration: Pedometer.Configuration, _ emit: (MotionEvent) -> Void
  ) {
    let usual = period.period * Float(Resampler.interval)
    let gap = sample &- previous
    let measured = Float(gap) * Float(Resampler.interval)
    let duration = gap < 100 && measured < 2 * usual ? measured : usual
    if !isWalking { cadence = 1 / usual }
    cadence += 0.25 * (1 / duration - cadence)
    let when = moment(of: sample)
    if !isWalking {
      isWalking = true
      walkingSince = when
      emit(.pedometer(PedometerEvent(kind: .resume, time: when)))
    }
    let isRunning = activity.isRunning
    let length =
      configuration.stepLength
      ?? StepLength.estimate(height: configuration.height, cadence: cadence, isRunning: isRunning)
    emit(.step(Step(time: when, duration: duration, length: length, cadence: cadence, isRunning: isRunning)))
  }

  private mutating func close(_ configuration: Pedometer.Configuration, _ emit: (MotionEvent) -> Void) {
    credit(configuration, emit)
    gate.close(at: now)
    pauseWalking(emit)
  }

  private mutating func gateClosed(_ configuration: Pedometer.Configuration, _ emit: (MotionEvent) -> Void) {
    credit(configuration, emit)
    pauseWalking(emit)
  }

  private mutating func pauseWalking(_ emit: (MotionEvent) -> Void) {
    pause.reset()
    guard isWalking else { return }
    isWalking = false
    activity.pause()
    emit(.pedometer(PedometerEvent(kind: .pause, time: moment(of: bout.lastStep))))
  }

  private func moment(of sample: Int32) -> Double {
    time - Double(now &- sample) * Resampler.interval
  }

  private mutating func updateActivity(_ emit: (MotionEvent) -> Void) {
    let onFoot = isWalking ? (since: walkingSince, certainty: gate.evidence / Gate.cap) : nil
    if let activity = activity.update(at: time, onFoot: onFoot) { emit(.activity(activity)) }
  }
}
