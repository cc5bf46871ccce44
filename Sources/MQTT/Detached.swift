internal import Synchronization

/// Threads for calls that may block beyond any deadline (name look-up, TCP connect) and may have to be left behind.
///
/// The system ends such a wait by itself, after two minutes or so; what the thread made is then thrown away.
final class Detached: Sendable {
  /// How many may wait at once: with the longest back-off, two or three are left behind at most.
  private static let most = 8
  private let count = Atomic<Int>(0)

  /// Starts a thread for a call that may block.
  ///
  /// `notify` runs when the result is there; there is no slot if there can be no further thread.
  func start<Value: Sendable>(
    _ body: @escaping @Sendable () throws(MQTTError) -> Value, then notify: @escaping @Sendable () -> Void
  ) -> Slot<Value>? {
    guard count.load(ordering: .relaxed) < Self.most else { return nil }
    let slot = Slot<Value>()
    count.add(1, ordering: .relaxed)
    let isStarted = startThread {
      let result = Result(catching: body)
      self.count.subtract(1, ordering: .relaxed)
      slot.result.withLock { $0 = result }
      notify()
    }
    guard isStarted else {
      count.subtract(1, ordering: .relaxed)
      return nil
    }
    return slot
  }

  /// Where a thread leaves its result.
  final class Slot<Value: Sendable>: Sendable {
    fileprivate let result = Mutex<Result<Value, MQTTError>?>(nil)

    /// Takes the result, if it is there.
    func take() -> Result<Value, MQTTError>? {
      result.withLock { result in
        defer { result = nil }
        return result
      }
    }
  }
}

/// A connection on its way from the thread that opened it to the one that serves it.
///
/// Unchecked: only one of the two holds it at a time, and the lock of the slot lies between them.
struct Handover: @unchecked Sendable {
  let connection: Connection

  init(_ connection: Connection) { self.connection = connection }
}
