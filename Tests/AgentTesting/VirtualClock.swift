public import Agent
import Synchronization

/// A clock that moves when it is told to.
public final class VirtualClock: ClockPort {
  private struct State: Sendable {
    var now: Instant
    var sleepers: [Int: (due: Int64, wake: CheckedContinuation<Void, Never>)] = [:]
    var cancelled: Set<Int> = []
    var last = 0
  }

  private let state: Mutex<State>

  /// Makes a clock that stands at an instant.
  public init(_ now: Instant = .start) {
    state = Mutex(State(now: now))
  }

  /// Gives the instant at which it stands.
  public func now() -> Instant { state.withLock { $0.now } }

  /// Waits until it was moved to so many ms.
  public func sleep(until monotonic: Int64) async {
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.now.monotonic >= monotonic || state.cancelled.remove(number) != nil { return true }
          state.sleepers[number] = (monotonic, continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        let sleeper = state.sleepers.removeValue(forKey: number)
        if sleeper == nil { state.cancelled.insert(number) }
        return sleeper
      }
      sleeper?.wake.resume()
    }
  }

  /// Moves on by so many ms and wakes whoever waited for that.
  public func advance(_ milliseconds: Int64) {
    let woken = state.withLock { state in
      state.now.monotonic += milliseconds
      state.now.wall += milliseconds
      let now = state.now.monotonic
      let woken = state.sleepers.filter { $0.value.due <= now }
      for number in woken.keys { state.sleepers[number] = nil }
      return woken.values.map(\.wake)
    }
    for wake in woken { wake.resume() }
  }
}
