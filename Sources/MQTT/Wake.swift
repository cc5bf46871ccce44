internal import Glibc

/// A descriptor that one thread polls and any other can make readable (a pair of sockets: Glibc has no eventfd here).
struct Wake: ~Copyable, Sendable {
  /// What `poll` waits for; -1 if the process had no descriptor left, so that only time-outs wake.
  let descriptor: CInt
  private let other: CInt

  init() {
    var pair: [CInt] = [-1, -1]
    let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    _ = unsafe socketpair(AF_UNIX, CInt(type), 0, &pair)
    descriptor = pair[0]
    other = pair[1]
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    if other >= 0 { close(other) }
  }

  /// Makes the descriptor readable; a full buffer is readable already.
  func signal() {
    var byte: UInt8 = 1
    _ = unsafe send(other, &byte, 1, CInt(MSG_NOSIGNAL))
  }

  /// Takes the signals that came.
  func clear() {
    var bytes: (UInt64, UInt64) = (0, 0)
    let size = MemoryLayout.size(ofValue: bytes)
    while unsafe recv(descriptor, &bytes, size, 0) == size {}
  }
}

/// Runs `body` on a thread of its own that no signal interrupts or ends.
///
/// A write to a connection that the peer has reset raises SIGPIPE in the writing thread. libmosquitto sets the whole
/// process to ignore it in `mosquitto_new`; the block here also holds if someone sets it back.
///
/// - Returns: whether the thread could be started.
func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
  final class Box {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var everything = sigset_t()
  var before = sigset_t()
  _ = unsafe sigfillset(&everything)
  _ = unsafe pthread_sigmask(SIG_SETMASK, &everything, &before)
  defer { _ = unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }

  let box = unsafe Unmanaged.passRetained(Box(body))
  var thread = pthread_t()
  let result = unsafe pthread_create(
    &thread, nil,
    { raw in
      guard let raw = unsafe raw else { return nil }
      unsafe Unmanaged<Box>.fromOpaque(raw).takeRetainedValue().body()
      return nil
    }, box.toOpaque())
  guard result == 0 else {
    unsafe box.release()
    return false
  }
  pthread_detach(thread)
  return true
}
