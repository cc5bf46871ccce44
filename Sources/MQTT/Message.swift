/// The promise about a message's delivery; 2 is not used here, since records carry their own key against duplicates.
public enum QoS: UInt8, Sendable, Hashable {
  /// Sent once and forgotten.
  case atMostOnce = 0
  /// Sent until acknowledged.
  case atLeastOnce = 1
}

/// The properties of MQTT 5 that a message may carry; with MQTT 3.1.1 they are left out.
public struct MessageProperties: Sendable, Equatable {
  /// After how many seconds the broker shall forget an undelivered message.
  public var expiry: UInt32?
  /// Where an answer is wanted.
  public var responseTopic: String?
  /// What the answer shall carry along.
  public var correlationData: [UInt8]?

  /// Makes properties, by default none.
  public init(expiry: UInt32? = nil, responseTopic: String? = nil, correlationData: [UInt8]? = nil) {
    self.expiry = expiry
    self.responseTopic = responseTopic
    self.correlationData = correlationData
  }
}

/// A message to publish.
public struct OutgoingMessage: Sendable, Equatable {
  /// The topic, without wildcards.
  public var topic: String
  /// The payload, as it goes out.
  public var payload: [UInt8]
  /// The promise about its delivery.
  public var qos: QoS
  /// Whether the broker keeps it for later subscribers.
  public var isRetained: Bool
  /// The properties of MQTT 5.
  public var properties: MessageProperties

  /// Makes a message.
  public init(
    topic: String, payload: [UInt8], qos: QoS = .atLeastOnce, isRetained: Bool = false,
    properties: MessageProperties = MessageProperties()
  ) {
    self.topic = topic
    self.payload = payload
    self.qos = qos
    self.isRetained = isRetained
    self.properties = properties
  }
}

/// A message that arrived.
///
/// At QoS 1 the broker gets its acknowledgement only after ``acknowledge()``: say it when the message is safe on disk.
public struct IncomingMessage: Sendable {
  /// The topic that it was published to.
  public let topic: String
  /// The payload, any bytes; at most ``Client/Configuration/keptPayload`` of them.
  public let payload: [UInt8]
  /// The promise about its delivery.
  public let qos: QoS
  /// Whether it was retained: stored before we subscribed or (MQTT 5) published with that flag.
  public let isRetained: Bool
  /// The properties of MQTT 5; empty with 3.1.1.
  public let properties: MessageProperties

  let confirmation: Confirmation?

  /// Lets the client tell the broker that the message has arrived; at QoS 0, or said again, it does nothing.
  public func acknowledge() { confirmation?.confirm() }
}
