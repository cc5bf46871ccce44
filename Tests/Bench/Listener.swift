import CMosquitto
import Glibc
import Synchronization

/// A subscriber on a thread of its own that notes when each topic was first heard of, and what it said last.
@safe final class Listener: Sendable {
  private struct Heard {
    var first: ContinuousClock.Instant
    var count: Int
    var text: String
  }

  // Only the library's thread and, once that has ended, deinit use it.
  nonisolated(unsafe) private let handle: OpaquePointer
  private let heard = Mutex<[String: Heard]>([:])
  private let isReady = Atomic(false)

  /// Subscribes at a broker on this machine, and waits until the broker has granted it.
  init(port: UInt16, _ filter: String) throws {
    mosquitto_lib_init()
    guard let handle = unsafe mosquitto_new(nil, true, nil) else { throw Unmeasured("libmosquitto gives no handle") }
    unsafe self.handle = unsafe handle
    unsafe mosquitto_user_data_set(handle, Unmanaged.passUnretained(self).toOpaque())
    unsafe mosquitto_subscribe_callback_set(handle) { _, object, _, _, _ in
      unsafe Listener.of(object)?.isReady.store(true, ordering: .relaxed)
    }
    unsafe mosquitto_message_callback_set(handle) { _, object, message in
      guard let message = unsafe message?.pointee, let topic = unsafe message.topic else { return }
      let payload = unsafe UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen)).prefix(64)
      unsafe Listener.of(object)?.hear(String(cString: topic), String(decoding: payload, as: UTF8.self))
    }
    var result = unsafe mosquitto_connect(handle, "127.0.0.1", CInt(port), 60)
    if result == 0 { result = unsafe mosquitto_subscribe(handle, nil, filter, 0) }
    if result == 0 { result = unsafe mosquitto_loop_start(handle) }
    for _ in 0..<5000 where !isReady.load(ordering: .relaxed) { usleep(1000) }
    guard result == 0, isReady.load(ordering: .relaxed) else { throw Unmeasured("nothing listens to \(filter)") }
  }

  deinit {
    _ = unsafe mosquitto_disconnect(handle)
    _ = unsafe mosquitto_loop_stop(handle, false)
    unsafe mosquitto_destroy(handle)
  }

  /// When a topic was first heard of, waiting for it no longer than so many seconds.
  func first(_ topic: String, within limit: Double = 10) throws -> ContinuousClock.Instant {
    for _ in 0..<Int(limit * 2000) {
      if let heard = heard.withLock({ $0[topic] }) { return heard.first }
      usleep(500)
    }
    throw Unmeasured("nothing came on \(topic) within \(figure(limit)) s")
  }

  /// The beginning of what a topic said last.
  func latest(_ topic: String) -> String? { heard.withLock { $0[topic]?.text } }

  /// How many PUBLISH packets the broker has received, as it counts them by itself each second.
  static func published(port: UInt16) throws -> Int {
    let topic = "$SYS/broker/publish/messages/received"
    let listener = try Listener(port: port, topic)
    for _ in 0..<4000 {
      // The first is the stored one, which may be a second old.
      if let heard = listener.heard.withLock({ $0[topic] }), heard.count > 1, let count = Int(heard.text) {
        return count
      }
      usleep(1000)
    }
    // The broker is silent while the count does not change.
    return listener.heard.withLock { $0[topic] }.flatMap { Int($0.text) } ?? 0
  }

  private func hear(_ topic: String, _ text: String) {
    heard.withLock { heard in
      let count = (heard[topic]?.count ?? 0) + 1
      heard[topic] = Heard(first: heard[topic]?.first ?? .now, count: count, text: text)
    }
  }

  private static func of(_ object: UnsafeMutableRawPointer?) -> Listener? {
    unsafe object.map { unsafe Unmanaged<Listener>.fromOpaque($0).takeUnretainedValue() }
  }
}
