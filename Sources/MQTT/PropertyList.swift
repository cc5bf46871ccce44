internal import CMosquitto
internal import Glibc

/// A list of MQTT 5 properties for the library, freed with its owner.
@safe struct PropertyList: ~Copyable {
  /// The library's list; `nil` while it is empty.
  private(set) var head: OpaquePointer?
  /// The first error that adding to it gave.
  private(set) var error: CInt = 0

  deinit {
    var list = unsafe head
    unsafe mosquitto_property_free_all(&list)
  }

  /// Adds a number of four bytes.
  mutating func add(_ property: mqtt5_property, _ value: UInt32) {
    note(unsafe mosquitto_property_add_int32(&head, CInt(property.rawValue), value))
  }

  /// Adds a text.
  mutating func add(_ property: mqtt5_property, _ value: String) {
    note(unsafe mosquitto_property_add_string(&head, CInt(property.rawValue), value))
  }

  /// Adds bytes, at most 65,535.
  mutating func add(_ property: mqtt5_property, _ value: [UInt8]) {
    guard let length = UInt16(exactly: value.count) else { return note(CInt(MOSQ_ERR_PAYLOAD_SIZE.rawValue)) }
    note(unsafe mosquitto_property_add_binary(&head, CInt(property.rawValue), value, length))
  }

  /// Adds what a message says.
  mutating func add(_ properties: MessageProperties) {
    if let expiry = properties.expiry { add(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL, expiry) }
    if let topic = properties.responseTopic { add(MQTT_PROP_RESPONSE_TOPIC, topic) }
    if let data = properties.correlationData { add(MQTT_PROP_CORRELATION_DATA, data) }
  }

  private mutating func note(_ result: CInt) {
    if error == 0 { error = result }
  }
}

/// Properties that came with a packet: the library's list, read while its callback runs.
@safe struct ReceivedProperties {
  private let head: OpaquePointer?

  init(_ head: OpaquePointer?) { unsafe self.head = unsafe head }

  /// A number of two bytes.
  func short(_ property: mqtt5_property) -> UInt16? {
    var value: UInt16 = 0
    return unsafe mosquitto_property_read_int16(head, CInt(property.rawValue), &value, false) == nil ? nil : value
  }

  /// A number of four bytes.
  func number(_ property: mqtt5_property) -> UInt32? {
    var value: UInt32 = 0
    return unsafe mosquitto_property_read_int32(head, CInt(property.rawValue), &value, false) == nil ? nil : value
  }

  /// A text.
  func text(_ property: mqtt5_property) -> String? {
    var value: UnsafeMutablePointer<CChar>?
    guard unsafe mosquitto_property_read_string(head, CInt(property.rawValue), &value, false) != nil else { return nil }
    defer { unsafe free(value) }
    return unsafe value.map { unsafe String(cString: $0) }
  }

  /// Bytes.
  func bytes(_ property: mqtt5_property) -> [UInt8]? {
    var value: UnsafeMutableRawPointer?
    var length: UInt16 = 0
    guard unsafe mosquitto_property_read_binary(head, CInt(property.rawValue), &value, &length, false) != nil else {
      return nil
    }
    defer { unsafe free(value) }
    return unsafe Array(UnsafeRawBufferPointer(start: value, count: Int(length)))
  }

  /// What a message may carry.
  var ofMessage: MessageProperties {
    if unsafe head == nil { return MessageProperties() }
    return MessageProperties(
      expiry: number(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL), responseTopic: text(MQTT_PROP_RESPONSE_TOPIC),
      correlationData: bytes(MQTT_PROP_CORRELATION_DATA))
  }
}
