/// What keeps a sensor from being read; the message says what to do about it.
public struct SensorError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kind of a failure: what a caller may act on without reading the message.
  public enum Code: Sendable, Equatable {
    /// There is no such file or device (CoreMotion: not available).
    case notFound
    /// The rights are missing (CoreMotion: not authorized).
    case notPermitted
    /// Another reader holds the device.
    case busy
    /// What was read is not what it should be.
    case invalid
    /// Reading or writing failed.
    case inputOutput
    /// The source is there, but gives nothing.
    case silent
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

  /// The message.
  public var description: String { message }
}
