import Agent
import AgentTesting
import Synchronization

/// A clock over the agent's virtual one, which keeps what was waited for.
struct PortClock: Clock {
  struct Instant: InstantProtocol {
    var milliseconds: Int64
    func advanced(by duration: Duration) -> Instant {
      Instant(milliseconds: milliseconds + Int64((duration / .milliseconds(1)).rounded()))
    }
    func duration(to other: Instant) -> Duration { .milliseconds(other.milliseconds - milliseconds) }
    static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }
  }

  /// The waits of a task that were seen so far.
  final class Waits: Sendable {
    private let all = Mutex<[Duration]>([])
    var seen: [Duration] { all.withLock { $0 } }
    func add(_ wait: Duration) { all.withLock { $0.append(wait) } }
  }

  let virtual: VirtualClock
  let waits = Waits()

  var now: Instant { Instant(milliseconds: virtual.now().monotonic) }
  var minimumResolution: Duration { .milliseconds(1) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    waits.add(now.duration(to: deadline))
    await virtual.sleep(until: deadline.milliseconds)
    try Task.checkCancellation()
  }

  /// Lets time pass, a tenth of a second at a time, until something has come about; false when it does not.
  func pass(until condition: () async -> Bool) async -> Bool {
    let limit = ContinuousClock.now + .seconds(300)
    while ContinuousClock.now < limit {
      for _ in 0..<20 {
        if await condition() { return true }
        await Task.yield()
      }
      virtual.advance(100)
    }
    return false
  }
}
