import Agent
import Host
import Motion
import Sensors

/// Fits a source of samples to the agent, and opens it again when it fails.
struct SensorFeed: SensorPort {
  /// The first wait before a source that failed is opened again; it doubles up to the last.
  private static let waits = (first: Duration.seconds(1), last: Duration.seconds(60))

  let source: any AccelerometerSource
  let clock: AgentClock
  let log: Log

  func run(_ deliver: @escaping @Sendable (SensorInput) async -> Void) async {
    var wait = Self.waits.first
    while !Task.isCancelled {
      var relay = Relay(feed: self, deliver: deliver)
      do throws(SensorError) {
        try await source.run { await relay.take($0) }
        clock.release()
        if relay.hasEnded || Task.isCancelled { return }
      } catch {
        clock.release()
        log(.warning, kind: "sensor", "sensor: \(error.message)")
        await deliver(.lost(SensorLoss(error)))
      }
      if relay.wasOpen { wait = Self.waits.first }
      // A cancelled sleep ends the loop.
      try? await Task.sleep(for: wait)
      wait = min(wait * 2, Self.waits.last)
    }
  }

  /// What a source says, in the agent's words.
  private struct Relay {
    let feed: SensorFeed
    let deliver: @Sendable (SensorInput) async -> Void
    var wasOpen = false
    var hasEnded = false
    private var drivesTime = false
    private var dropped = 0

    init(feed: SensorFeed, deliver: @escaping @Sendable (SensorInput) async -> Void) {
      self.feed = feed
      self.deliver = deliver
    }

    mutating func take(_ event: SensorEvent) async {
      switch event {
      case .opened(let description), .found(let description):
        wasOpen = true
        switch description.pace {
        case .boot: drivesTime = false
        case .samples: drivesTime = true
        }
        let name = "\(description.kind) \(description.name)"
        await deliver(.found(SensorIdentity(name: name, rate: description.rate, isSteady: description.isSteady)))
      case .samples(let samples):
        if drivesTime, let last = samples.last { feed.clock.advance(to: last.time) }
        await deliver(.samples(samples))
      case .faults(let faults):
        let total = faults.malformed.count + faults.overflowed + faults.failed
        if let line = faults.malformed.first.first {
          feed.log(
            .warning, kind: "malformed",
            "sensor: \(faults.malformed.count) lines were not samples, the first is line \(line.number): '\(line.text)'"
          )
        }
        await deliver(.dropped(total - dropped))
        dropped = total
      case .warning(let text): feed.log(.warning, "sensor: \(text)")
      case .lost(let error): await deliver(.lost(SensorLoss(error)))
      case .ended:
        hasEnded = true
        await deliver(.ended)
      }
    }
  }
}

extension SensorLoss {
  init(_ error: SensorError) { self.init(reason: error.message, denied: error.code == .notPermitted) }
}
