import BrokerTesting
import Glibc

/// A broker for one client that acknowledges only when it is told to, and so shows what is in flight.
///
/// It does something only while it is asked: there is no thread of its own.
final class SlowPeer {
  let port: UInt16
  private let window: UInt8
  private let listener: CInt
  private var connection: CInt = -1
  private var isAccepted = false
  private var bytes: [UInt8] = []
  private var unacknowledged: [[UInt8]] = []
  /// The payloads that arrived, in order.
  private var arrived: [String] = []

  /// Listens; it will allow so many publishes at once.
  init(window: UInt8) throws {
    self.window = window
    port = try TestBroker.freePort()
    listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    let result = unsafe loopback(port) { unsafe bind(listener, $0, $1) }
    guard result == 0, listen(listener, 1) == 0 else { throw ScriptedPeer.POSIXFailure(number: errno) }
  }

  deinit {
    hangUp()
    close(listener)
  }

  /// Whether it has accepted the client.
  var hasClient: Bool {
    receive()
    return isAccepted
  }

  /// The payloads that have arrived by now.
  var payloads: [String] {
    receive()
    return arrived
  }

  /// Acknowledges the oldest so many publishes.
  func acknowledge(_ count: Int) {
    for identifier in unacknowledged.prefix(count) { say([0x40, 2] + identifier) }
    unacknowledged.removeFirst(min(count, unacknowledged.count))
  }

  /// Ends the connection.
  func hangUp() {
    if connection >= 0 { close(connection) }
    connection = -1
  }

  private func receive() {
    if connection < 0 { connection = accept(listener, nil, nil) }
    guard connection >= 0 else { return }
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe recv(connection, &buffer, buffer.count, CInt(MSG_DONTWAIT))
      guard count > 0 else { break }
      bytes += buffer.prefix(count)
    }
    // Packets of these tests are shorter than 128 bytes, so that their length is one.
    while bytes.count > 1, bytes.count >= 2 + Int(bytes[1]) {
      let (kind, body) = (bytes[0] >> 4, Array(bytes[2..<2 + Int(bytes[1])]))
      bytes.removeFirst(2 + body.count)
      if kind == 1 {
        say([0x20, 6, 0, 0, 3, 0x21, 0, window])
        isAccepted = true
      }
      guard kind == 3 else { continue }
      // The topic, the packet's identifier, no properties, the payload.
      let rest = body.dropFirst(2 + Int(body[1]))
      unacknowledged.append(Array(rest.prefix(2)))
      arrived.append(String(decoding: rest.dropFirst(3), as: UTF8.self))
    }
  }

  private func say(_ packet: [UInt8]) {
    _ = unsafe send(connection, packet, packet.count, CInt(MSG_NOSIGNAL))
  }
}
