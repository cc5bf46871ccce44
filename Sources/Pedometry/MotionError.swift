internal import Sensors

/// What keeps a device from counting or from remembering; the message says what to do about it.
public struct MotionError: Error, Sendable, Equatable, CustomStringConvertible, LocalizedError {
  /// The kind of a failure: what a caller may act on without reading the message.
  public enum Code: Sendable, Equatable {
    /// There is no sensor, or it gives nothing; it is looked for again.
    case notAvailable
    /// The sensor may not be read.
    case notAuthorized
    /// The history cannot be read or written; counting goes on.
    case history
    /// The question makes no sense, such as an interval that ends before it starts.
    case invalidParameter
  }

  /// The kind of the failure.
  public let code: Code
  /// What failed and what to do about it, for a person.
  public let message: String

  /// Makes an error of a kind, with a message that says what to do.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  init(_ error: SensorError) {
    self.init(error.code == .notPermitted ? .notAuthorized : .notAvailable, error.message)
  }

  /// The message.
  public var description: String { message }
  /// The message.
  public var errorDescription: String? { message }
}
