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
    let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(listener, $0, size) }
    }
    var open = [listener]
    guard bound == 0, listen(listener, depth == .silent ? 64 : 0) == 0 else {
      close(listener)
      throw Missing(description: "a port of its own")
    }
    if depth == .blackholed {
      for _ in 0..<4 {
        let filler = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        _ = unsafe withUnsafePointer(to: &address) { pointer in
          unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(filler, $0, size) }
        }
        open.append(filler)
      }
    }
    sockets = open
  }

  deinit { for socket in sockets { close(socket) } }
}
