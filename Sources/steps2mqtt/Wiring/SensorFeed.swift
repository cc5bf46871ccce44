import Agent
import Host
import Motion
import Sensors
import Synchronization

/// Who is told how far a recording has got, where it drives the time.
protocol RecordedTime: Sendable {
  /// A recording has got to a moment, in s on the boot-time clock.
  func advance(to time: Double)
  /// No more samples will come.
  func release()
}

extension AgentClock: RecordedTime {}

/// Fits a source of samples to the agent: opens it again when it fails, ends without a word, or falls silent.
///
/// It waits longer from failure to failure, and begins anew once a source has lasted: one that breaks as soon as it is
/// open must not be opened each second for ever.
struct SensorFeed<C: Clock>: SensorPort where C.Duration == Duration {
  /// The first wait before a source that failed is opened again; it doubles up to the last.
  static var waits: (first: Duration, last: Duration) { (.seconds(1), .seconds(60)) }
  /// A source that was open for so long has lasted.
  static var lasting: Duration { .seconds(60) }
  /// A steady source that says nothing at all for so long hangs.
  ///
  /// Those that look after a device themselves notice sooner, and say so.
  static var patience: Duration { .seconds(15) }
  /// The device was suspended perhaps: so much more before a source is given up.
  static var grace: Duration { .seconds(2) }

  let source: any AccelerometerSource
  let time: any RecordedTime
  let clock: C
  let log: Log
  /// What is read beside the source; nil for none.
  var barometer: IIOBarometer?
  /// Whether the source itself may give pressures.
  var mayHavePressures = true

  /// How a source came to its end.
  private enum End: Sendable {
    case over
    case failed(SensorLoss)
  }

  func run(_ deliver: @escaping @Sendable (SensorInput) async -> Void) async {
    guard let barometer else {
      if !mayHavePressures { await deliver(.barometer(.absent)) }
      return await follow(deliver)
    }
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        await barometer.run { event in
          switch event {
          case .opened(let name): await deliver(.barometer(.found(name: name)))
          case .readings(let readings): await deliver(.pressures(readings))
          case .lost(let error): await deliver(.barometer(.lost(reason: error.message)))
          case .absent: await deliver(.barometer(.absent))
          }
        }
      }
      await follow(deliver)
      group.cancelAll()
    }
  }

  private func follow(_ deliver: @escaping @Sendable (SensorInput) async -> Void) async {
    var wait = Self.waits.first
    while !Task.isCancelled {
      let start = clock.now
      let end = await attempt(deliver)
      time.release()
      guard case .failed(let loss) = end, !Task.isCancelled else { return }
      await deliver(.lost(loss))
      if start.duration(to: clock.now) >= Self.lasting { wait = Self.waits.first }
      // A cancelled sleep ends the loop.
      try? await clock.sleep(for: wait)
      wait = min(wait * 2, Self.waits.last)
    }
  }

  /// Runs the source once, and gives it up when it hangs.
  private func attempt(_ deliver: @escaping @Sendable (SensorInput) async -> Void) async -> End {
    let pulse = Pulse(clock.now)
    return await withTaskGroup(of: End?.self) { group in
      group.addTask { await listen(pulse, deliver) }
      group.addTask { await watch(pulse) }
      defer { group.cancelAll() }
      for await end in group { if let end { return end } }
      return .over
    }
  }

  private func listen(_ pulse: Pulse, _ deliver: @escaping @Sendable (SensorInput) async -> Void) async -> End {
    var relay = Relay(time: time, log: log, deliver: deliver)
    do throws(SensorError) {
      try await source.run { event in
        pulse.beat(clock.now)
        guard !pulse.isGivenUp else { return }
        pulse.isSteady(relay.isSteady(after: event))
        await relay.take(event)
        pulse.beat(clock.now)
      }
    } catch {
      return .failed(SensorLoss(error))
    }
    if relay.hasEnded || Task.isCancelled { return .over }
    return .failed(SensorLoss(reason: "the source ended without a word"))
  }

  /// Waits until a steady source has said nothing for too long; nil when it was ended before.
  private func watch(_ pulse: Pulse) async -> End? {
    while true {
      let heard = pulse.last
      guard (try? await clock.sleep(until: heard.advanced(by: Self.patience), tolerance: .seconds(1))) != nil else {
        return nil
      }
      guard pulse.last == heard else { continue }
      guard (try? await clock.sleep(for: Self.grace)) != nil else { return nil }
      guard pulse.last == heard, pulse.giveUp() else {
        // What need not speak is asked again later.
        if pulse.last == heard { pulse.beat(clock.now) }
        continue
      }
      return .failed(
        SensorLoss(reason: "the source hangs: nothing came for \(Text.duration(Self.patience / .seconds(1)))"))
    }
  }

  /// When a source was heard last, and whether it has to be.
  private final class Pulse: Sendable {
    private let state: Mutex<(last: C.Instant, isSteady: Bool, isGivenUp: Bool)>

    init(_ now: C.Instant) { state = Mutex((now, false, false)) }

    var last: C.Instant { state.withLock { $0.last } }
    var isGivenUp: Bool { state.withLock { $0.isGivenUp } }
    func beat(_ now: C.Instant) { state.withLock { $0.last = now } }
    func isSteady(_ isSteady: Bool) { state.withLock { $0.isSteady = isSteady } }

    /// Lets nothing of the source through from now on; false for one that may be silent.
    func giveUp() -> Bool {
      state.withLock { state in
        state.isGivenUp = state.isSteady
        return state.isGivenUp
      }
    }
  }

  /// What a source says, in the agent's words.
  private struct Relay {
    let time: any RecordedTime
    let log: Log
    let deliver: @Sendable (SensorInput) async -> Void
    var hasEnded = false
    private var drivesTime = false
    private var isSteady = false
    private var told = SensorFaults()

    init(time: any RecordedTime, log: Log, deliver: @escaping @Sendable (SensorInput) async -> Void) {
      (self.time, self.log, self.deliver) = (time, log, deliver)
    }

    /// Whether samples must come after an event: one that was lost says itself when it is found.
    mutating func isSteady(after event: SensorEvent) -> Bool {
      switch event {
      case .opened(let description), .found(let description): isSteady = description.isSteady
      case .lost, .ended: isSteady = false
      case .samples, .pressures, .faults, .warning: break
      }
      return isSteady
    }

    mutating func take(_ event: SensorEvent) async {
      switch event {
      case .opened(let description), .found(let description):
        switch description.pace {
        case .boot: drivesTime = false
        case .samples: drivesTime = true
        }
        let name = "\(description.kind) \(description.name)"
        await deliver(.found(SensorIdentity(name: name, rate: description.rate, isSteady: description.isSteady)))
      case .samples(let samples):
        if drivesTime, let last = samples.last { time.advance(to: last.time) }
        await deliver(.samples(samples))
      case .pressures(let pressures): await deliver(.pressures(pressures))
      case .faults(let faults):
        if let line = faults.malformed.first.first {
          log(
            .warning, kind: "malformed",
            "sensor: \(faults.malformed.count) lines were not samples, the first is line \(line.number): '\(line.text)'"
          )
        }
        await deliver(
          .faults(dropped: faults.unusable - told.unusable, missing: faults.missing - told.missing))
        told = faults
      case .warning(let text): await deliver(.warning(text))
      case .lost(let error): await deliver(.lost(SensorLoss(error)))
      case .ended:
        hasEnded = true
        await deliver(.ended)
      }
    }
  }
}

extension SensorFaults {
  /// The samples that could not be read, or had to be dropped.
  fileprivate var unusable: Int { malformed.count + overflowed + failed }
}

extension SensorLoss {
  init(_ error: SensorError) { self.init(reason: error.message, denied: error.code == .notPermitted) }
}
