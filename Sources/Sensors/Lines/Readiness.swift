import Dispatch
import Glibc

/// Waits until a file can be read, without holding a thread of Swift's pool.
///
/// A thread of its own blocks in poll(2), which takes every kind of file: pipes, terminals, serial ports, /dev/null.
final class Readiness: Sendable {
  /// How a wait ended.
  enum Outcome: Sendable {
    case readable, timedOut, cancelled
  }

  private let queue = DispatchQueue(label: "steps2mqtt.readiness")
  /// A pipe into which a byte falls when the waiting task is cancelled.
  private let wake: (read: CInt, write: CInt)

  init() throws(SensorError) {
    var ends: [CInt] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw .reading("a pipe", errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    wake = (ends[0], ends[1])
  }

  deinit {
    _ = close(wake.read)
    _ = close(wake.write)
  }

  /// Waits until a read will not block, at most for so long; the file must stay open meanwhile.
  func wait(for file: CInt, atMost timeout: Duration) async -> Outcome {
    if Task.isCancelled { return .cancelled }
    if isReadable(file) { return .readable }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.async { continuation.resume(returning: self.poll(file, timeout)) }
      }
    } onCancel: {
      var byte: UInt8 = 1
      _ = unsafe write(wake.write, &byte, 1)
    }
  }

  private func isReadable(_ file: CInt) -> Bool {
    var request = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
    return unsafe Glibc.poll(&request, 1, 0) > 0
  }

  private func poll(_ file: CInt, _ timeout: Duration) -> Outcome {
    let end = ContinuousClock.now + timeout
    while true {
      var requests = [
        pollfd(fd: file, events: Int16(POLLIN), revents: 0), pollfd(fd: wake.read, events: Int16(POLLIN), revents: 0),
      ]
      let left = max(0, (ContinuousClock.now.duration(to: end) / .milliseconds(1)).rounded(.up))
      let count = unsafe Glibc.poll(&requests, 2, CInt(min(left, 1e9)))
      if requests[1].revents != 0 { return .cancelled }
      if count > 0 { return .readable }  // an error or the other end's hanging up is what the read will say
      if count == 0, ContinuousClock.now >= end { return .timedOut }
    }
  }
}
