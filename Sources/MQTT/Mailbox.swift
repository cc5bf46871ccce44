internal import Synchronization

/// The queue between the network thread and the one consumer of the events.
///
/// Publishes in flight and unconfirmed messages bound all but the messages at QoS 0, which are dropped when
/// ``limit`` events or ``room`` bytes of messages wait: a slow consumer must not let a talkative peer fill the memory.
final class Mailbox: Sendable {
  /// How many events may wait before messages at QoS 0 are dropped.
  static let limit = 256
  /// How many bytes of payloads may wait before that.
  static let room = 4 << 20

  private struct State {
    /// Who waits, and for how many events at most.
    typealias Consumer = (most: Int, continuation: CheckedContinuation<[Client.Event]?, Never>)

    var waiting: [Client.Event] = []
    /// The bytes of the payloads that wait.
    var bytes = 0
    var consumer: Consumer?
    var isFinished = false

    mutating func take(_ most: Int) -> [Client.Event] {
      let taken = Array(waiting.prefix(most))
      waiting.removeFirst(taken.count)
      bytes = waiting.isEmpty ? 0 : bytes - taken.reduce(0) { $0 + $1.size }
      return taken
    }

    mutating func put(_ event: Client.Event, isDroppable: Bool) {
      guard !isFinished, !isDroppable || waiting.count < Mailbox.limit && bytes < Mailbox.room else { return }
      waiting.append(event)
      bytes += event.size
    }
  }
  private let state = Mutex(State())

  /// Hands an event over, or drops it if that is allowed and too many wait.
  ///
  /// One that does not wake the consumer waits for the next that does, or for ``flush()``.
  func put(_ event: Client.Event, isDroppable: Bool = false, wakes: Bool = true) {
    state.withLock { $0.put(event, isDroppable: isDroppable) }
    if wakes { flush() }
  }

  /// Whether something waits for the consumer.
  var holdsSomething: Bool { state.withLock { !$0.waiting.isEmpty } }

  /// Wakes the consumer if something waits for it.
  func flush() {
    let handover = state.withLock { state -> (State.Consumer, [Client.Event])? in
      guard !state.waiting.isEmpty, let consumer = state.consumer.take() else { return nil }
      return (consumer, state.take(consumer.most))
    }
    if let (consumer, events) = handover { consumer.continuation.resume(returning: events) }
  }

  /// Ends the stream once everything that waits has been taken.
  func finish() {
    state.withLock { $0.isFinished = true }
    flush()
    state.withLock { $0.consumer.take() }?.continuation.resume(returning: nil)
  }

  /// Waits for the next events, so many at most; `nil` at the end, or when the waiting task is cancelled.
  func next(atMost most: Int) async -> [Client.Event]? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let ready = state.withLock { state -> [Client.Event]?? in
          if !state.waiting.isEmpty { return .some(state.take(most)) }
          if state.isFinished || state.consumer != nil || Task.isCancelled { return .some(nil) }
          state.consumer = (most, continuation)
          return nil
        }
        if let ready { continuation.resume(returning: ready) }
      }
    } onCancel: {
      state.withLock { $0.consumer.take() }?.continuation.resume(returning: nil)
    }
  }
}

extension Client.Event {
  /// How many bytes it holds that a peer has sent.
  fileprivate var size: Int { if case .message(let message) = self { message.payload.count } else { 0 } }
}
