internal import CMosquitto
internal import Glibc

extension Connection {
  /// Has the library call back; each callback finds its connection, copies what it was given, and hands it over.
  func installCallbacks() {
    unsafe mosquitto_connect_v5_callback_set(handle) { _, object, code, flags, properties in
      unsafe Connection.of(object)?.answered(code, flags, unsafe ReceivedProperties(properties))
    }
    unsafe mosquitto_disconnect_v5_callback_set(handle) { _, object, code, properties in
      unsafe Connection.of(object)?.ended(code, unsafe ReceivedProperties(properties))
    }
    unsafe mosquitto_publish_v5_callback_set(handle) { _, object, id, code, _ in
      unsafe Connection.of(object)?.acknowledged(id, code)
    }
    unsafe mosquitto_subscribe_v5_callback_set(handle) { _, object, id, count, granted, _ in
      let code = unsafe count > 0 ? granted?.pointee ?? 0x80 : 0x80
      unsafe Connection.of(object)?.subscribed(id, code)
    }
    unsafe mosquitto_message_v5_callback_set(handle) { _, object, message, properties in
      guard let message = unsafe message?.pointee else { return }
      unsafe Connection.of(object)?.received(message, unsafe ReceivedProperties(properties))
    }
    // For each packet the library writes a line to whoever listens; only of TLS does it say there what nothing else tells.
    guard target.broker.isEncrypted else { return }
    unsafe mosquitto_log_callback_set(handle) { handle, object, level, text in
      guard CUnsignedInt(bitPattern: level) & CUnsignedInt(MOSQ_LOG_ERR) != 0, let text = unsafe text else { return }
      unsafe Connection.of(object)?.complaints.note(String(cString: text), handle)
    }
  }

  private static func of(_ object: UnsafeMutableRawPointer?) -> Connection? {
    unsafe object.map { unsafe Unmanaged<Connection>.fromOpaque($0).takeUnretainedValue() }
  }

  private func answered(_ code: CInt, _ flags: CInt, _ properties: ReceivedProperties) {
    guard code == 0 else { return close(explainRefusal(code, properties.text(MQTT_PROP_REASON_STRING))) }
    let largest = properties.number(MQTT_PROP_MAXIMUM_PACKET_SIZE).map { Int($0) }
    if let seconds = properties.short(MQTT_PROP_SERVER_KEEP_ALIVE) { keepAlive = seconds }
    window = min(Int(properties.short(MQTT_PROP_RECEIVE_MAXIMUM) ?? .max), Client.window)
    accept()
    inbox.connected(
      Session(broker: target.broker, isPresent: flags & 1 != 0, window: window, maximumPacketSize: largest))
  }

  /// The library closed the connection: for an error of its own (small numbers) or by the broker's DISCONNECT.
  private func ended(_ code: CInt, _ properties: ReceivedProperties) {
    if code >= 0x80 {
      close(explainDisconnect(code, properties.text(MQTT_PROP_REASON_STRING)))
    } else {
      close(explain(code == 0 ? CInt(MOSQ_ERR_CONN_LOST.rawValue) : code, errno: errno))
    }
  }

  private func acknowledged(_ id: CInt, _ code: CInt) {
    guard let publish = pending.removeValue(forKey: id) else { return }
    if publish.qos == .atLeastOnce { inFlight -= 1 }
    let reason = ReasonCode(rawValue: UInt8(truncatingIfNeeded: code))
    inbox.published(publish.token, qos: publish.qos, reason.isFailure ? .refused(reason) : .acknowledged(reason))
  }

  private func subscribed(_ id: CInt, _ code: CInt) {
    guard let filter = subscribing.removeValue(forKey: id) else { return }
    let qos = QoS(rawValue: UInt8(truncatingIfNeeded: code))
    inbox.subscribed(
      filter, qos.map { .granted($0) } ?? .refused(ReasonCode(rawValue: UInt8(truncatingIfNeeded: code))))
  }

  private func received(_ message: mosquitto_message, _ properties: ReceivedProperties) {
    guard !isMuted, let topic = unsafe message.topic else { return }
    let payload = unsafe UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen))
    let isConfirmed = unsafe inbox.received(
      String(cString: topic), Array(payload.prefix(configuration.keptPayload)),
      qos: message.qos == 0 ? .atMostOnce : .atLeastOnce,
      isRetained: message.retain, properties.ofMessage)
    guard !isConfirmed else { return }
    // The PUBACK is queued behind this callback: the connection must go before it is written.
    isMuted = true
    close(
      MQTTError(
        .unconfirmed,
        "an incoming message was not confirmed within \(configuration.deadlines.confirmation); the broker will repeat it"
      ))
    shutdown(descriptor, CInt(SHUT_RDWR))
  }
}
