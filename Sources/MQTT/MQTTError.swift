/// Why a broker cannot be used, or why a connection ended; the message says what to do about it.
public struct MQTTError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kind of failure.
  public enum Code: Sendable, Equatable {
    /// A broker's URL cannot be read.
    case invalidURL
    /// A setting is refused by the library, or a file that it names cannot be read.
    case configuration
    /// The name has no address.
    case hostNotFound
    /// Nothing listens at the address.
    case connectionRefused
    /// The network does not lead there.
    case unreachable
    /// The broker did not answer within a deadline.
    case timedOut
    /// The broker's certificate comes from an authority that is not trusted here.
    case unknownAuthority
    /// The broker's certificate has expired or is not valid yet.
    case certificateExpired
    /// The broker's certificate is for another name.
    case wrongName
    /// The broker wants a client certificate, or refuses the one it got.
    case clientCertificate
    /// TLS was spoken to a port that does not speak it.
    case plainPort
    /// A port that wants TLS was spoken to without it, or the broker does not know this protocol version.
    case notUnderstood
    /// TLS failed in another way.
    case tls
    /// User name or password are refused.
    case badCredentials
    /// The broker's access rules forbid it.
    case notAuthorized
    /// The client id is refused.
    case clientIDRefused
    /// Another client with the same id has taken the session over.
    case takenOver
    /// The broker does not speak this protocol version.
    case protocolVersion
    /// The broker refused or ended the connection, for this reason.
    case refused(ReasonCode)
    /// The connection broke.
    case connectionLost
    /// A message was not acknowledged in time, so that the connection was given up.
    case unacknowledged
    /// An incoming message was not confirmed in time, so that the connection was given up.
    case unconfirmed
    /// The client was told to stop.
    case stopped
    /// The library failed in a way that has no better name.
    case library
  }

  /// The kind of failure.
  public let code: Code
  /// What happened and what to do about it, in a sentence.
  public let message: String

  /// Makes an error from its kind and its message.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }

  /// Whether trying again soon can only do harm (an account gets locked, two clients throw each other out).
  var needsPatience: Bool {
    switch code {
    case .badCredentials, .notAuthorized, .clientIDRefused, .takenOver, .refused(.banned): true
    default: false
    }
  }
}
