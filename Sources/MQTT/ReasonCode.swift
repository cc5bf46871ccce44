/// A reason code of MQTT 5 (section 2.4 of the standard); 0x80 and above are failures.
public struct ReasonCode: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The code as it is on the wire.
  public let rawValue: UInt8

  /// Takes a code from the wire.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Done.
  public static let success = Self(rawValue: 0x00)
  /// Accepted, though nobody subscribes to it: a success.
  public static let noMatchingSubscribers = Self(rawValue: 0x10)
  /// Refused without a reason.
  public static let unspecified = Self(rawValue: 0x80)
  /// The broker does not speak this version.
  public static let unsupportedProtocolVersion = Self(rawValue: 0x84)
  /// The client id is refused.
  public static let clientIDNotValid = Self(rawValue: 0x85)
  /// User name or password are wrong.
  public static let badCredentials = Self(rawValue: 0x86)
  /// The access rules forbid it.
  public static let notAuthorized = Self(rawValue: 0x87)
  /// The broker can serve nobody at the moment.
  public static let serverUnavailable = Self(rawValue: 0x88)
  /// This client is banned.
  public static let banned = Self(rawValue: 0x8a)
  /// Another client with this id has connected.
  public static let sessionTakenOver = Self(rawValue: 0x8e)
  /// The topic filter is malformed or not accepted.
  public static let topicFilterInvalid = Self(rawValue: 0x8f)
  /// The topic's name is malformed or not accepted.
  public static let topicNameInvalid = Self(rawValue: 0x90)
  /// Larger than the broker takes.
  public static let packetTooLarge = Self(rawValue: 0x95)
  /// A limit of the broker is reached.
  public static let quotaExceeded = Self(rawValue: 0x97)
  /// The payload is not what its format says.
  public static let payloadFormatInvalid = Self(rawValue: 0x99)
  /// The broker keeps no messages.
  public static let retainNotSupported = Self(rawValue: 0x9a)
  /// The broker does not offer this quality of service.
  public static let qosNotSupported = Self(rawValue: 0x9b)

  /// Whether this is a failure.
  public var isFailure: Bool { rawValue >= 0x80 }

  /// Whether the message itself is at fault, so that sending it again can never succeed.
  public var blamesTheMessage: Bool {
    switch self {
    case .topicNameInvalid, .packetTooLarge, .payloadFormatInvalid, .retainNotSupported, .qosNotSupported: true
    default: false
    }
  }

  /// The reason in words, with the code.
  public var description: String {
    let hex = String(rawValue, radix: 16)
    return "\(Library.words(for: self)) (0x\(hex.count < 2 ? "0" : "")\(hex))"
  }
}
