import BrokerTesting
import Foundation
import Glibc
import Synchronization

/// A line before a broker that answers publications in the broker's place with a reason of MQTT 5: mosquitto has no
/// quotas.
final class RefusingLine: Sendable {
  /// Where the agent connects to.
  let port: UInt16
  private let target: UInt16
  private let listener: CInt
  /// What it answers now, and how often it has.
  private let state = Mutex<(reason: UInt8?, leaves: Set<String>, refused: Int)>((nil, [], 0))

  /// Starts a line that refuses nothing yet.
  init(to target: UInt16) throws {
    self.target = target
    port = try TestBroker.freePort()
    let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    self.listener = listener
    let bound = unsafe loopback(port) { unsafe bind(listener, $0, $1) }
    guard bound == 0, listen(listener, 8) == 0 else { throw Missing(description: "a port for the line") }
    Thread.detachNewThread { [weak self] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { break }
        self?.serve(client, target)
      }
      // Not before nobody asks it any more: its number goes to whoever opens something next.
      close(listener)
    }
  }

  deinit { shutdown(listener, CInt(SHUT_RDWR)) }

  /// How many publications were refused.
  var refused: Int { state.withLock { $0.refused } }

  /// Answers publications at QoS 1 on topics with these ends by a reason from now on.
  func refuse(_ leaves: Set<String>, reason: UInt8) { state.withLock { ($0.reason, $0.leaves) = (reason, leaves) } }

  /// Lets everything through again.
  func allow() { state.withLock { $0.reason = nil } }

  private func serve(_ client: CInt, _ target: UInt16) {
    let (here, there) = (End(client), End(socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)))
    guard unsafe loopback(target, { unsafe connect(there.file, $0, $1) }) == 0 else { return }
    Thread.detachNewThread { [weak self] in
      while let packet = here.packet() {
        if let answer = self?.refusal(of: packet) { here.send(answer) } else { there.send(packet) }
      }
      there.hangUp()
    }
    Thread.detachNewThread {
      while let packet = there.packet() { here.send(packet) }
      here.hangUp()
    }
  }

  /// The PUBACK in the broker's place; nil for what goes on to the broker.
  private func refusal(of packet: [UInt8]) -> [UInt8]? {
    // A PUBLISH at QoS 1: the fixed header, its length of one to four bytes, the topic, the number of the packet.
    guard packet[0] >> 4 == 3, packet[0] >> 1 & 3 == 1 else { return nil }
    let start = (packet.dropFirst().firstIndex { $0 < 0x80 } ?? 1) + 1
    let length = Int(packet[start]) << 8 | Int(packet[start + 1])
    let end = start + 2 + length
    let leaf = String(decoding: packet[start + 2..<end], as: UTF8.self).split(separator: "/").last.map(String.init)
    return state.withLock { state in
      guard let reason = state.reason, state.leaves.contains(leaf ?? "") else { return nil }
      state.refused += 1
      return [0x40, 3, packet[end], packet[end + 1], reason]
    }
  }

  /// A connection of packets; it closes itself.
  private final class End: Sendable {
    let file: CInt
    private let turn = Mutex(())

    init(_ file: CInt) { self.file = file }

    deinit { close(file) }

    /// Sends a whole packet; several may.
    func send(_ packet: [UInt8]) {
      turn.withLock { _ in _ = unsafe Glibc.send(file, packet, packet.count, CInt(MSG_NOSIGNAL)) }
    }

    func hangUp() { shutdown(file, CInt(SHUT_RDWR)) }

    /// Reads a whole packet; nil at the end.
    func packet() -> [UInt8]? {
      guard var packet = bytes(1) else { return nil }
      var (length, shift) = (0, 0)
      repeat {
        guard shift < 28, let next = bytes(1) else { return nil }
        packet += next
        length |= Int(next[0] & 0x7F) << shift
        shift += 7
      } while packet.last.map { $0 >= 0x80 } == true
      guard length > 0 else { return packet }
      return bytes(length).map { packet + $0 }
    }

    private func bytes(_ count: Int) -> [UInt8]? {
      var buffer = [UInt8](repeating: 0, count: count)
      return unsafe recv(file, &buffer, count, CInt(MSG_WAITALL)) == count ? buffer : nil
    }
  }
}
