import Agent
import Host
import Synchronization

/// The agent's time: the host's clocks, or a recording's own time where it plays faster or slower than it was made.
final class AgentClock: ClockPort {
  /// How far time may run ahead of the latest sample while a recording plays slower than it was made, in ms.
  private static let lead: Int64 = 1000
  /// How much later than asked for it may wake somebody, so that the work waits for the next samples: those come five
  /// times a second anyhow, and each time that a processor is woken costs power.
  private static let tolerance = Duration.milliseconds(200)
  /// How often a recording's time is looked at by whoever waits for it.
  private static let poll = Duration.milliseconds(20)

  /// Who drives the time.
  private enum Drive {
    case host
    /// A recording: its latest moment in ms on the boot-time clock, when that was reached by the host's own clock, and
    /// whether more is to come.
    case recording(moment: Int64, reached: Int64, isPlaying: Bool)
  }

  private let host = HostClock()
  private let loop: Loop
  private let origin: HostClock.Reading
  private let drive = Mutex(Drive.host)

  /// Makes a clock whose sleepers are woken by a loop.
  init(_ loop: Loop) {
    self.loop = loop
    origin = host.read()
  }

  func now() -> Instant {
    let reading = host.read()
    var (monotonic, wall) = (reading.bootMilliseconds, reading.wallMilliseconds)
    switch drive.withLock({ $0 }) {
    case .host: break
    case .recording(let moment, let reached, let isPlaying):
      let elapsed = reading.bootMilliseconds - reached
      monotonic = moment + (isPlaying ? min(elapsed, Self.lead) : elapsed)
      wall = origin.wallMilliseconds + monotonic - origin.bootMilliseconds
    }
    return Instant(
      monotonic: monotonic, wall: wall, zoneOffset: host.zoneOffset(atWallMilliseconds: wall),
      synchronized: reading.isSynchronized)
  }

  func sleep(until monotonic: Int64) async {
    while !Task.isCancelled {
      let left = Duration.milliseconds(max(0, monotonic - now().monotonic))
      guard left > .zero else { return }
      let isHost =
        switch drive.withLock({ $0 }) {
        case .host: true
        case .recording: false
        }
      // A cancelled sleep ends the loop.
      try? await loop.sleep(
        until: .now + (isHost ? left : min(left, Self.poll)), tolerance: isHost ? Self.tolerance : .zero)
    }
  }

  /// A recording has got to a moment, in s on the boot-time clock; its time never goes back.
  func advance(to time: Double) {
    let now = now().monotonic
    let reached = host.read().bootMilliseconds
    let moment = max(now, time.isFinite ? Int64((time * 1000).rounded()) : now)
    drive.withLock { $0 = .recording(moment: moment, reached: reached, isPlaying: true) }
  }

  /// No more samples will come: time goes on at its usual rate.
  func release() {
    let now = now().monotonic
    let reached = host.read().bootMilliseconds
    drive.withLock { drive in
      switch drive {
      case .host: break
      case .recording: drive = .recording(moment: now, reached: reached, isPlaying: false)
      }
    }
  }
}
