import CMosquitto
import Glibc

/// libmosquitto alone, as fast as it goes: one thread, QoS 1, so many in flight, nothing kept.
@safe final class BarePublisher {
  /// How many publishes are in flight at most: the agent's window.
  private static let window = 20

  private let handle: OpaquePointer
  private var isConnected = false
  private var acknowledged = 0

  /// Connects to a broker on this machine, with MQTT 5.
  init(port: UInt16) throws {
    mosquitto_lib_init()
    guard let handle = unsafe mosquitto_new(nil, true, nil) else { throw Unmeasured("libmosquitto gives no handle") }
    unsafe self.handle = unsafe handle
    unsafe mosquitto_user_data_set(handle, Unmanaged.passUnretained(self).toOpaque())
    unsafe mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, CInt(MQTT_PROTOCOL_V5))
    unsafe mosquitto_int_option(handle, MOSQ_OPT_TCP_NODELAY, 1)
    unsafe mosquitto_connect_callback_set(handle) { _, object, _ in
      unsafe BarePublisher.of(object)?.isConnected = true
    }
    unsafe mosquitto_publish_callback_set(handle) { _, object, _ in
      unsafe BarePublisher.of(object)?.acknowledged += 1
    }
    try check(unsafe mosquitto_connect(handle, "127.0.0.1", CInt(port), 60))
    while !isConnected { try check(unsafe mosquitto_loop(handle, 1000, 1)) }
  }

  deinit {
    _ = unsafe mosquitto_disconnect(handle)
    unsafe mosquitto_destroy(handle)
  }

  /// Publishes so many messages of so many bytes and waits for all acknowledgements; gives messages/s.
  func run(_ count: Int, of bytes: Int) throws -> Double {
    let payload = [UInt8](repeating: UInt8(ascii: "x"), count: bytes)
    acknowledged = 0
    var sent = 0
    let seconds = try time {
      while acknowledged < count {
        while sent < count, sent - acknowledged < Self.window {
          try check(
            unsafe mosquitto_publish(handle, nil, "steps2mqtt/bare/history", CInt(bytes), payload, 1, false))
          sent += 1
        }
        try check(unsafe mosquitto_loop(handle, 1000, 1))
      }
    }
    return Double(count) / seconds
  }

  private func check(_ result: CInt) throws {
    guard result == 0 else {
      throw Unmeasured("libmosquitto: " + (unsafe mosquitto_strerror(result).map { unsafe String(cString: $0) } ?? ""))
    }
  }

  private static func of(_ object: UnsafeMutableRawPointer?) -> BarePublisher? {
    unsafe object.map { unsafe Unmanaged<BarePublisher>.fromOpaque($0).takeUnretainedValue() }
  }
}
