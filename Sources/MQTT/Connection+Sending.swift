internal import CMosquitto

extension Connection {
  /// Gives a message to the library, which queues it; an answer for the token comes now or later.
  func publish(_ message: OutgoingMessage, token: UInt64?, deadline: ContinuousClock.Instant) {
    var properties = PropertyList()
    if configuration.version == .v5 { properties.add(message.properties) }
    let size = message.topic.utf8.count + message.payload.count + Self.overhead
    var id: CInt = 0
    var result = properties.error
    if size > min(configuration.maximumPacketSize, Self.largest) {
      result = CInt(MOSQ_ERR_OVERSIZE_PACKET.rawValue)
    } else if message.topic.utf8.contains(0) {
      // A C string would end there, and the message go to another topic.
      result = CInt(MOSQ_ERR_INVAL.rawValue)
    } else if result == 0 {
      result = unsafe mosquitto_publish_v5(
        handle, &id, message.topic, CInt(message.payload.count), message.payload, CInt(message.qos.rawValue),
        message.isRetained, properties.head)
    }
    if result == 0 {
      queued += 1
      if message.qos == .atLeastOnce { inFlight += 1 }
      pending[id] = Pending(token: token, qos: message.qos, deadline: deadline)
    } else {
      inbox.published(token, qos: message.qos, Self.refusal(result).map { .refused($0) } ?? .failed)
    }
  }

  /// Asks for a subscription; what is retained comes again each time.
  func subscribe(_ subscription: Subscription) {
    // The library lets an empty filter through, for which the broker ends the connection.
    if subscription.filter.isEmpty || subscription.filter.utf8.contains(0) {
      return inbox.subscribed(subscription.filter, .refused(.topicFilterInvalid))
    }
    var id: CInt = 0
    let result = unsafe mosquitto_subscribe_v5(
      handle, &id, subscription.filter, CInt(subscription.qos.rawValue),
      CInt(MQTT_SUB_OPT_RETAIN_AS_PUBLISHED.rawValue),
      nil)
    if result == 0 {
      subscribing[id] = subscription.filter
    } else {
      inbox.subscribed(
        subscription.filter, Self.refusal(result) == nil ? .refused(.unspecified) : .refused(.topicFilterInvalid))
    }
  }

  /// Reports everything in flight as failed.
  func failPending() {
    for (_, publish) in pending.sorted(by: { $0.key < $1.key }) {
      inbox.published(publish.token, qos: publish.qos, .failed)
    }
    pending = [:]
    inFlight = 0
  }

  /// When the oldest publish must be acknowledged.
  var nextDeadline: ContinuousClock.Instant? {
    pending.values.lazy.filter { $0.qos == .atLeastOnce }.map(\.deadline).min()
  }

  /// More than a PUBLISH needs beside topic and payload: fixed header, lengths, packet id.
  private static let overhead = 16

  /// The largest packet that MQTT can tell the length of, in bytes (MQTT 5, 1.5.5).
  private static let largest = 268_435_455

  /// What the library refuses by itself, in the broker's words; `nil` where the connection is at fault.
  private static func refusal(_ result: CInt) -> ReasonCode? {
    switch mosq_err_t(rawValue: result) {
    case MOSQ_ERR_OVERSIZE_PACKET, MOSQ_ERR_PAYLOAD_SIZE: .packetTooLarge
    case MOSQ_ERR_INVAL, MOSQ_ERR_MALFORMED_UTF8: .topicNameInvalid
    case MOSQ_ERR_QOS_NOT_SUPPORTED: .qosNotSupported
    case MOSQ_ERR_RETAIN_NOT_SUPPORTED: .retainNotSupported
    case MOSQ_ERR_PROTOCOL, MOSQ_ERR_DUPLICATE_PROPERTY: .payloadFormatInvalid
    default: nil
    }
  }
}
