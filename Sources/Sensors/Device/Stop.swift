import Dispatch
import Synchronization

/// Tells a thread that reads a device to end, and wakes it where it waits.
final class Stop: Sendable {
  private struct State {
    var isStopped = false
    var interrupt: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())
  private let semaphore = DispatchSemaphore(value: 0)

  var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Asks for the end; once is for ever.
  func stop() {
    state.withLock {
      $0.isStopped = true
      $0.interrupt?()
    }
    semaphore.signal()
  }

  /// Says how a blocking call is ended from another thread; nil when there is nothing to be interrupted any more.
  func onStop(_ interrupt: (@Sendable () -> Void)?) {
    state.withLock {
      $0.interrupt = interrupt
      if $0.isStopped { interrupt?() }
    }
  }

  /// Waits for some seconds; false when it was stopped meanwhile.
  func wait(_ seconds: Double) -> Bool {
    if isStopped { return false }
    guard seconds > 0 else { return true }
    _ = semaphore.wait(timeout: .now() + seconds)
    return !isStopped
  }
}
