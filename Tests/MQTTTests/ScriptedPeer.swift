import BrokerTesting
import Glibc

/// A peer that answers each connection's first packet with given bytes, and then holds or closes it.
///
/// For what mosquitto never says.
final class ScriptedPeer: Sendable {
  let port: UInt16
  private let listener: CInt

  init(answer: [UInt8], thenCloses: Bool = false) throws {
    port = try TestBroker.freePort()
    listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    let result = unsafe loopback(port) { unsafe bind(listener, $0, $1) }
    guard result == 0, listen(listener, 8) == 0 else { throw POSIXFailure(number: errno) }
    serve(answer, thenCloses)
  }

  deinit { shutdown(listener, CInt(SHUT_RDWR)) }

  struct POSIXFailure: Error { let number: CInt }

  private func serve(_ answer: [UInt8], _ thenCloses: Bool) {
    let listener = listener
    Task.detached {
      var open: [CInt] = []
      while true {
        var ready = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        if unsafe poll(&ready, 1, 0) != 0 {
          let connection = accept(listener, nil, nil)
          if connection < 0 { break }
          var buffer = [UInt8](repeating: 0, count: 1024)
          _ = unsafe recv(connection, &buffer, buffer.count, 0)
          if !answer.isEmpty { _ = unsafe send(connection, answer, answer.count, CInt(MSG_NOSIGNAL)) }
          if thenCloses { close(connection) } else { open.append(connection) }
        }
        try? await Task.sleep(for: .milliseconds(5))
      }
      for connection in open { close(connection) }
      // Not before nobody asks it any more: its number goes to the next peer's.
      close(listener)
    }
  }
}
