internal import Synchronization

/// The queue between the network thread and the one consumer of the events.
///
/// Publishes in flight and unconfirmed messages bound all but the messages at QoS 0, which are dropped when
/// ``limit`` events wait: a slow consumer must not let a talkative peer fill the memory.
final class Mailbox: Sendable {
  /// How many events may wait before messages at QoS 0 are dropped.
  static let limit = 256

  private struct State {
    var waiting: [Client.Event] = []
    var consumer: CheckedContinuation<Client.Event?, Never>?
    var isFinished = false
  }
  private let state = Mutex(State())

  /// Hands an event over, or drops it if that is allowed and too many wait.
  func put(_ event: Client.Event, isDroppable: Bool = false) {
    let consumer = state.withLock { state -> CheckedContinuation<Client.Event?, Never>? in
      if let consumer = state.consumer {
        state.consumer = nil
        return consumer
      }
      if !state.isFinished, !isDroppable || state.waiting.count < Self.limit { state.waiting.append(event) }
      return nil
    }
    consumer?.resume(returning: event)
  }

  /// Ends the stream once everything that waits has been taken.
  func finish() {
    state.withLock { state in
      state.isFinished = true
      defer { state.consumer = nil }
      return state.consumer
    }?.resume(returning: nil)
  }

  /// Waits for the next event; `nil` at the end, or when the waiting task is cancelled.
  func next() async -> Client.Event? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let ready = state.withLock { state -> Client.Event?? in
          if !state.waiting.isEmpty { return .some(state.waiting.removeFirst()) }
          if state.isFinished || state.consumer != nil || Task.isCancelled { return .some(nil) }
          state.consumer = continuation
          return nil
        }
        if let ready { continuation.resume(returning: ready) }
      }
    } onCancel: {
      state.withLock { state in
        defer { state.consumer = nil }
        return state.consumer
      }?.resume(returning: nil)
    }
  }
}
