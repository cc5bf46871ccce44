import Motion

/// Follows lines as they come: gathers them, dates them, and says when their sender fell silent and when it is back.
///
/// It outlives what it follows: a port that is opened again goes on where it was.
struct LineFollower<C: Clock> where C.Duration == Duration {
  /// How long lines are gathered.
  private static var gathering: Duration { .milliseconds(150) }
  /// So many warnings are handed on, at most: whoever sends decides how many there are.
  private static var mostSaid: Int { 8 }

  let clock: C
  let bootTime: @Sendable () -> Double
  /// After so long without a line the sender is taken for lost.
  let silence: Duration
  private var dates: LineDates
  private var faults = SensorFaults()
  private var wasOpen = false
  private var said: Set<String> = []
  /// Why the sender is lost.
  private(set) var lost: SensorError.Code?
  /// Whether a sample came since the last loss.
  private(set) var hasSamples = false

  /// Follows lines that come as is said; waits by a clock and takes the boot time, in seconds, from a closure.
  init(_ lines: LineConfiguration, clock: C, bootTime: @escaping @Sendable () -> Double) {
    self.clock = clock
    self.bootTime = bootTime
    silence = lines.silence
    dates = LineDates(rate: lines.rate)
  }

  /// Delivers lines until the task is cancelled, or until they end: true then.
  mutating func follow(
    _ input: inout some LineInput & ~Copyable, as description: SensorDescription,
    _ deliver: nonisolated(nonsending) (SensorEvent) async -> Void
  ) async throws(SensorError) -> Bool {
    let readiness = try Readiness()
    let former = faults.malformed
    var block: [AccelerometerSample] = []
    if wasOpen { dates.restart() } else { await deliver(.opened(description)) }
    wasOpen = true
    var heard = clock.now
    while true {
      switch await readiness.wait(for: input.file, atMost: lost == nil ? silence : .seconds(86_400)) {
      case .cancelled: return false
      case .timedOut:
        await lose(SensorError(.silent, "\(description.name): no line for \(silence)"), deliver)
        continue
      case .readable: break
      }
      let reading = try input.read(into: &block)
      if reading == .end { return true }
      if reading == .another { dates.restart() }
      dates.date(&block, isStamped: input.isStamped, inHurry: reading == .much, now: bootTime())
      await tell(former + input.malformed, deliver)
      if let warning = input.warning, said.count < Self.mostSaid, said.insert(warning).inserted {
        await deliver(.warning(warning))
      }
      if block.isEmpty {
        if heard.duration(to: clock.now) >= silence { await lose(Self.babble(description), deliver) }
      } else {
        heard = clock.now
        if lost != nil { await deliver(.found(description)) }
        lost = nil
        hasSamples = true
        for chunk in Chunks(block) { await deliver(.samples(chunk)) }
        let pressures = input.pressures.map { PressureSample(time: block[$0.index].time, pressure: $0.pascals) }
        if !pressures.isEmpty { await deliver(.pressures(pressures)) }
      }
      if reading != .much {
        guard (try? await clock.sleep(for: Self.gathering)) != nil else { return false }
      }
    }
  }

  /// What is said of a sender that is not silent, but sends no samples.
  private static func babble(_ description: SensorDescription) -> SensorError {
    let speed = description.kind == .serial ? ", and is sensor.serial.baud right" : ""
    return SensorError(
      .inputOutput, "\(description.name): what comes are no samples; are there lines t_ms,x,y,z or x,y,z\(speed)?")
  }

  /// Tells the counts where they have grown.
  private mutating func tell(
    _ malformed: MalformedLines, _ deliver: nonisolated(nonsending) (SensorEvent) async -> Void
  ) async {
    let former = faults
    faults.malformed = malformed
    faults.missing = dates.missing
    if faults != former { await deliver(.faults(faults)) }
  }

  /// Reports a loss, once for each kind of reason.
  mutating func lose(
    _ error: SensorError, _ deliver: nonisolated(nonsending) (SensorEvent) async -> Void
  ) async {
    hasSamples = false
    guard lost != error.code else { return }
    lost = error.code
    await deliver(.lost(error))
  }
}
