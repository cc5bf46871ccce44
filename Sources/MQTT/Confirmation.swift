internal import Dispatch
internal import Synchronization

/// A single word from the consumer of a message to the network thread that waits for it.
final class Confirmation: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  private let isConfirmed = Atomic<Bool>(false)

  /// Says that the message is safe.
  func confirm() {
    isConfirmed.store(true, ordering: .releasing)
    semaphore.signal()
  }

  /// Ends the waiting without the word.
  func abandon() { semaphore.signal() }

  /// Waits for either word; false if the message was not confirmed in time.
  func wait(atMost limit: Duration) -> Bool {
    _ = semaphore.wait(timeout: .now() + .milliseconds(Int(limit.milliseconds)))
    return isConfirmed.load(ordering: .acquiring)
  }
}

extension Duration {
  /// Whole milliseconds, rounded up, so that a wait never ends before its time.
  var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
  }
}
