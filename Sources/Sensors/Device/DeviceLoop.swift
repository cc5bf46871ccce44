import Motion

/// Keeps a device open: opens it, reads it, and opens it again when it went away.
///
/// Runs on a thread that may block. What it cannot open it reports as lost, once for each kind of reason, and tries
/// again for ever, in growing intervals; it is found again with its first samples.
struct DeviceLoop {
  /// After so many seconds without a sample a device is taken for lost, whatever it says.
  static let patience = 5.0

  /// Opens the device.
  let open: () throws(SensorError) -> any DeviceSession
  /// Waits for some seconds; false when it is time to end.
  let wait: (Double) -> Bool
  /// The boot time, in seconds.
  let now: () -> Double
  /// Takes what happened, and returns how many older samples it dropped for it.
  let emit: (SensorEvent) -> Int

  private var backoff = Backoff()
  private var faults = SensorFaults()
  /// The counts that were told last, and when.
  private var toldFaults = (SensorFaults(), at: -Double.infinity)
  private var wasOpen = false
  private var lost: SensorError.Code?
  private var said: Set<String> = []

  init(
    open: @escaping () throws(SensorError) -> any DeviceSession, wait: @escaping (Double) -> Bool,
    now: @escaping () -> Double, emit: @escaping (SensorEvent) -> Int
  ) {
    self.open = open
    self.wait = wait
    self.now = now
    self.emit = emit
  }

  /// Runs until `wait` says that it is time to end.
  mutating func run() {
    while wait(0) {
      do {
        var session = try open()
        if !wasOpen { tell(.opened(session.description)) }
        for warning in session.warnings { warn(warning) }
        wasOpen = true
        try read(&session)
      } catch {
        if wait(0), lost != error.code {
          lost = error.code
          tell(.lost(error))
        }
      }
      guard wait(backoff.next()) else { return }
    }
  }

  private mutating func read(_ session: inout any DeviceSession) throws(SensorError) {
    var latest = now()
    while wait(0) {
      let reading = try session.read()
      faults.missing += reading.missing
      faults.failed += reading.failed
      tellFaults()
      if reading.samples.isEmpty {
        guard now() - latest < Self.patience else {
          throw SensorError(.silent, "\(session.description.name): no sample for \(Int(Self.patience)) s")
        }
        continue
      }
      latest = now()
      backoff.reset()
      if lost != nil { tell(.found(session.description)) }
      lost = nil
      tell(.samples(reading.samples))
    }
  }

  private mutating func tell(_ event: SensorEvent) {
    faults.overflowed += emit(event)
  }

  /// Tells the counts where they have grown, at most once a second.
  private mutating func tellFaults() {
    guard faults != toldFaults.0, now() - toldFaults.at >= 1 else { return }
    toldFaults = (faults, now())
    tell(.faults(faults))
  }

  private mutating func warn(_ text: String) {
    if said.insert(text).inserted { tell(.warning(text)) }
  }
}
