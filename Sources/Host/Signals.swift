import Dispatch
import Glibc
import Synchronization

/// The signals by which a person or the service manager speaks to the process.
///
/// A handler writes each signal into a pair of sockets, and a Dispatch source reads it: Dispatch's own signal sources stay silent on
/// Linux when they are made a second time, and ignored signals (which they need) would be inherited by children.
public final class Signals: Sendable {
  /// What was asked.
  public enum Signal: Int32, Sendable, CaseIterable {
    /// SIGTERM: end, the service manager says.
    case terminate = 15
    /// SIGINT: end, a person says (Ctrl-C).
    case interrupt = 2
    /// SIGHUP: read the configuration again.
    case hangUp = 1
  }

  /// The signals as they arrive; at most 8 wait to be read, the oldest are dropped.
  public let received: AsyncStream<Signal>
  // Only ever cancelled, which any thread may do; Dispatch does not say so in its types.
  nonisolated(unsafe) private let source: any DispatchSourceRead
  private let writeEnd: Int32

  /// Begins to listen; from here on no signal is missed, and none ends the process.
  ///
  /// A later listener takes over from an earlier one. A closed connection is an error of the write from here on, not
  /// SIGPIPE. The signals' own actions stay off when the value is gone, so that a late Ctrl-C cannot cut the end short.
  /// Throws when the process has no descriptors left.
  public init(_ signals: [Signal] = Signal.allCases) throws(HostError) {
    var ends: [Int32] = [-1, -1]
    // A pair of sockets, since the C library's module has no pipe2.
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    guard unsafe socketpair(AF_UNIX, Int32(kind), 0, &ends) == 0 else {
      throw HostError(code: errno, "no pipe for signals: \(HostError.words(errno))")
    }
    let readEnd = ends[0]
    writeEnd = ends[1]
    let (stream, continuation) = AsyncStream.makeStream(of: Signal.self, bufferingPolicy: .bufferingNewest(8))
    received = stream
    let source = DispatchSource.makeReadSource(fileDescriptor: readEnd, queue: DispatchQueue(label: "signals"))
    source.setEventHandler {
      var number: UInt8 = 0
      while unsafe read(readEnd, &number, 1) == 1 {
        if let signal = Signal(rawValue: Int32(number)) { continuation.yield(signal) }
      }
    }
    source.setCancelHandler {
      close(readEnd)
      continuation.finish()
    }
    source.activate()
    unsafe self.source = source
    listener.store(writeEnd, ordering: .sequentiallyConsistent)
    for signal in signals { handle(signal.rawValue, pass) }
    handle(SIGPIPE) { _ in }
  }

  deinit {
    _ = listener.compareExchange(expected: writeEnd, desired: -1, ordering: .sequentiallyConsistent)
    close(writeEnd)
    unsafe source.cancel()
  }
}

/// The socket of the latest listener; the one thing that a signal handler can know.
private let listener = Atomic<Int32>(-1)

/// Passes a signal on; does only what a signal handler may do.
private func pass(_ signal: Int32) {
  let descriptor = listener.load(ordering: .relaxed)
  guard descriptor >= 0 else { return }
  let before = errno
  var number = UInt8(truncatingIfNeeded: signal)
  _ = unsafe write(descriptor, &number, 1)
  errno = before
}

/// Sets what a signal does; calls that wait are taken up again after it.
private func handle(_ signal: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
  var action = sigaction()
  unsafe action.__sigaction_handler.sa_handler = handler
  action.sa_flags = SA_RESTART
  unsafe sigaction(signal, &action, nil)
}
