import Glibc

/// What the host refused, and what to do about it.
public struct HostError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The system's number for the reason; 0 where it has none.
  public let code: Int32
  /// A sentence that names the object and the reason.
  public let message: String

  /// Makes an error about a file from a number of `errno.h`.
  init(file path: String, code: Int32) {
    self.init(code: code, "'\(path)' \(Self.reason(code))")
  }

  /// Makes an error from a number of `errno.h` and a sentence.
  public init(code: Int32 = 0, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }

  /// What the system says about a number of `errno.h`.
  private static func reason(_ code: Int32) -> String {
    switch code {
    case ENOENT: return "does not exist"
    case EACCES, EPERM: return "may not be read by this user"
    case EISDIR: return "is a directory"
    default: return words(code)
    }
  }

  /// What the system itself says about a number of `errno.h`.
  static func words(_ code: Int32) -> String {
    unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
  }
}
