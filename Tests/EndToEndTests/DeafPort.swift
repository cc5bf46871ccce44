import BrokerTesting
import Glibc

/// A loopback port at which nobody ever answers, as long as it lives.
final class DeafPort: Sendable {
  /// How far a client gets.
  enum Depth: CaseIterable, Sendable {
    /// The connection is made, and nothing is said on it.
    case silent
    /// The system does not even take the connection, since its queue is full: as behind a firewall that drops.
    case blackholed
  }

  let port: UInt16
  private let sockets: [CInt]

  init(_ depth: Depth) throws {
    port = try TestBroker.freePort()
    let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    let bound = unsafe loopback(port) { unsafe bind(listener, $0, $1) }
    var open = [listener]
    guard bound == 0, listen(listener, depth == .silent ? 64 : 0) == 0 else {
      close(listener)
      throw Missing(description: "a port of its own")
    }
    if depth == .blackholed {
      for _ in 0..<4 {
        let filler = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        _ = unsafe loopback(port) { unsafe connect(filler, $0, $1) }
        open.append(filler)
      }
    }
    sockets = open
  }

  deinit { for socket in sockets { close(socket) } }
}
