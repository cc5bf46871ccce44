import Glibc

/// What happens when a connection that the other end closed is written to.
enum BrokenPipes {
  /// Makes it an error of the call in this thread, not the end of the process.
  static func block() {
    var signals = sigset_t()
    _ = unsafe sigemptyset(&signals)
    _ = unsafe sigaddset(&signals, SIGPIPE)
    _ = unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }
}
