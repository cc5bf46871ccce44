import Synchronization

/// Hands what a thread reads over to a task: bounded, and whoever is late loses the oldest.
///
/// A device does not wait. The task is woken where it runs, without a detour over another thread.
final class Mailbox: Sendable {
  private struct State {
    var events: [SensorEvent] = []
    var isFinished = false
    var waiting: CheckedContinuation<Void, Never>?
  }

  /// How many events are kept: at 0.16 s each, some 80 s of samples.
  private static let kept = 512

  private let state = Mutex(State())

  /// Puts an event in and returns how many samples were dropped for it.
  func put(_ event: SensorEvent) -> Int {
    let (waiting, dropped) = state.withLock { state in
      var dropped = 0
      if state.events.count >= Self.kept {
        // What else was said, such as a loss, is kept: nobody would say it again.
        let index = state.events.firstIndex { if case .samples = $0 { true } else { false } } ?? 0
        if case .samples(let oldest) = state.events.remove(at: index) { dropped = oldest.count }
      }
      state.events.append(event)
      return (state.waiting.take(), dropped)
    }
    waiting?.resume()
    return dropped
  }

  /// Says that nothing more will come.
  func finish() {
    let waiting = state.withLock { state in
      state.isFinished = true
      return state.waiting.take()
    }
    waiting?.resume()
  }

  /// Waits for events and takes all that there are; nil when nothing more will come.
  ///
  /// For one task only.
  nonisolated(nonsending)
    func take() async -> [SensorEvent]?
  {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        if !state.events.isEmpty || state.isFinished { return true }
        state.waiting = continuation
        return false
      }
      if isReady { continuation.resume() }
    }
    return state.withLock { state in
      guard !state.events.isEmpty else { return nil }
      defer { state.events = [] }
      return state.events
    }
  }
}
