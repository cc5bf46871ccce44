internal import Motion

/// Runs the machine: one ordered inbox for samples, broker, journal and time, and the effects that come of it.
///
/// The actor is the inbox. Every producer waits until its event was taken, so there is at most one event of each in the
/// queue, and a fast sensor waits for the agent rather than filling memory. Requests to the journal go to a worker in
/// order and complete as events, so a slow disk never holds up counting; the machine keeps them few (one commit, one
/// page, one question of a command, one look at the bounds), which bounds the worker's queue.
public actor Agent {
  private let sensor: any SensorPort
  private let journal: any JournalPort
  private let broker: any BrokerPort
  private let clock: any ClockPort
  private let host: any HostPort
  private let location: (any LocationPort)?
  private let executor: (any TaskExecutor)?

  private var machine: Machine
  private var pedometer: Pedometer
  /// What is to be taken, and when the sample was taken that led to it.
  private typealias Entry = (event: Machine.Event, sampled: Double?)
  private var inbox: [Entry] = []
  /// What is to be published, all at once when the inbox is empty.
  private var outbox: [Publication] = []
  /// The last moment the machine was told, in ms on the monotonic clock.
  private var latest: Int64 = 0
  private var sensorTask: Task<Void, Never>?
  /// Tells the input of a sensor that was closed from that of the one which is open.
  private var sensorTurn = 0
  private var timer: (task: Task<Void, Never>, due: Int64)?
  private var samples = 0
  private var faults = (dropped: 0, missing: 0)

  private let requests: AsyncStream<JournalRequest>
  private let request: AsyncStream<JournalRequest>.Continuation
  private let end: AsyncStream<Void>
  private let ending: AsyncStream<Void>.Continuation

  /// Makes an agent of its ports and of what the journal knew when it was opened.
  ///
  /// Its own tasks run on the executor, where there is one; whoever calls `run()` there spares changes of threads.
  public init(
    _ configuration: Machine.Configuration, restored: Restored, sensor: any SensorPort, journal: any JournalPort,
    broker: any BrokerPort, clock: any ClockPort, host: any HostPort, location: (any LocationPort)? = nil,
    executor: (any TaskExecutor)? = nil
  ) {
    self.sensor = sensor
    self.journal = journal
    self.broker = broker
    self.clock = clock
    self.host = host
    self.location = location
    self.executor = executor
    machine = Machine(configuration, restored: restored)
    pedometer = Pedometer(configuration.wearer)
    (requests, request) = AsyncStream.makeStream()
    (end, ending) = AsyncStream.makeStream()
  }

  /// Runs until `stop()` has led to an orderly end, or until a recording ended where `exitAtEnd` is set.
  public func run() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.serveJournal() }
      take(.begin)
      group.addTask { [broker] in await broker.run { await self.take($0.map { (.broker($0), nil) }) } }
      if let location { group.addTask { await location.run { await self.take(.location($0)) } } }
      for await _ in end { break }
      group.cancelAll()
      request.finish()
    }
    sensorTask?.cancel()
    await sensorTask?.value
    timer?.task.cancel()
    await timer?.task.value
  }

  /// Takes a configuration that was read again; boot and what concerns the start stay as they were.
  public func configure(_ configuration: Machine.Configuration) { take(.configured(configuration)) }

  /// Asks the agent to leave: it publishes what it has, says `offline` and returns from `run()` within 5 s.
  public func stop() { take(.stop) }

  /// How far the agent has come; an agent whose loop is stuck never answers.
  public var progress: Progress { Progress(samples: samples, samplesAreDue: machine.samplesAreDue) }

  private func take(_ event: Machine.Event) { take([(event, nil)]) }

  private func take(_ events: [Entry]) {
    let isTaking = !inbox.isEmpty
    inbox += events
    // What effects give rise to is taken after them, so that effects stay in their order.
    guard !isTaking else { return }
    var next = 0
    while next < inbox.count {
      let (event, sampled) = inbox[next]
      var now = clock.now()
      // A chunk may be long, of a recording above all: what a sample led to happened when it was taken.
      if let sampled { now = now.back(toSample: sampled, notBefore: latest) }
      latest = now.monotonic
      for effect in machine.handle(event, at: now) { perform(effect) }
      next += 1
    }
    inbox.removeAll(keepingCapacity: true)
    if !outbox.isEmpty { broker.publish(outbox) }
    outbox.removeAll(keepingCapacity: true)
    arm()
  }

  private func perform(_ effect: Effect) {
    switch effect {
    case .openSensor: open()
    case .closeSensor: close()
    case .finishMotion:
      finishMotion()
      take(.motionFinished)
    case .configureMotion(let configuration): pedometer.configuration = configuration
    case .takeVitals:
      take(
        .vitals(
          Vitals(
            residentBytes: host.residentBytes(), samples: samples, dropped: faults.dropped, missing: faults.missing,
            quality: pedometer.quality)))
    case .publish(let publication): outbox.append(publication)
    case .confirm(let message): broker.confirm(message: message)
    case .journal(let asked): request.yield(asked)
    case .log(let level, let message): host.log(level, message)
    case .leave: ending.finish()
    }
  }

  private func open() {
    sensorTurn += 1
    let turn = sensorTurn
    let former = sensorTask
    pedometer = Pedometer(pedometer.configuration)
    sensorTask = Task(executorPreference: executor) { @concurrent [sensor] in
      await former?.value
      await sensor.run { await self.take($0, turn: turn) }
    }
  }

  private func close() {
    sensorTurn += 1
    sensorTask?.cancel()
  }

  private func take(_ input: SensorInput, turn: Int) {
    guard turn == sensorTurn else { return }
    switch input {
    case .found(let description): take(.sensor(.found(description)))
    case .samples(let chunk):
      samples += chunk.count
      var found: [Entry] = []
      for sample in chunk { pedometer.take(sample) { found.append((.motion($0), sample.time)) } }
      take(found)
    case .faults(let dropped, let missing):
      faults.dropped += dropped
      faults.missing += missing
    case .pressures(let readings):
      if !machine.hasBarometer { take(.barometer(.found(name: ""))) }
      var found: [Entry] = []
      for reading in readings { pedometer.take(reading) { found.append((.motion($0), nil)) } }
      take(found)
    case .barometer(let report): take(.barometer(report))
    case .warning(let text): take(.sensor(.warning(text)))
    case .lost(let loss):
      finishMotion()
      take(.sensor(.lost(loss)))
    case .ended:
      finishMotion()
      take(.sensor(.ended))
    }
  }

  /// Has the engine give what it holds back; what comes after that meets a new one.
  private func finishMotion() {
    var found: [Entry] = []
    pedometer.finish { found.append((.motion($0), nil)) }
    pedometer = Pedometer(pedometer.configuration)
    take(found)
  }

  /// Serves the journal's requests one after the other.
  private nonisolated func serveJournal() async {
    for await asked in requests {
      let report = await serve(asked)
      await take(.journal(report))
    }
  }

  private nonisolated func serve(_ asked: JournalRequest) async -> JournalReport {
    do {
      switch asked {
      case .commit(let commit):
        try await journal.commit(commit)
        return .committed(commit.number)
      case .page(let after, let upTo, let limit):
        return .page(try await journal.unacknowledged(after: after, upTo: upTo, limit: limit))
      case .sums(let from, let to, let bucket):
        return .sums(try await journal.sums(from: from, to: to, bucket: bucket))
      case .answer(let id): return .answer(try await journal.answer(toCommand: id))
      case .trim(let now, let sparing): return .trim(try await journal.trim(at: now, sparing: sparing))
      }
    } catch {
      if case .commit(let commit) = asked {
        if let restored = error.opened { return .opened(commit.number, restored) }
        return error.blamesTrim
          ? .trimRefused(commit.number, reason: error.message) : .commitFailed(commit.number, reason: error.message)
      }
      return .failed(asked, reason: error.message)
    }
  }

  /// Sets the one timer, unless it goes off early enough already.
  private func arm() {
    guard let due = machine.nextDeadline else { return }
    if let timer, timer.due <= due { return }
    timer?.task.cancel()
    let task = Task(executorPreference: executor) { @concurrent [clock] in
      await clock.sleep(until: due)
      guard !Task.isCancelled else { return }
      await self.fire(due)
    }
    timer = (task, due)
  }

  private func fire(_ due: Int64) {
    guard timer?.due == due else { return }
    timer = nil
    take(.tick)
  }
}
