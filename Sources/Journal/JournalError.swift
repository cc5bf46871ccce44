/// A failure of the journal, with what to do about it.
public struct JournalError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What kind of failure it is.
  public enum Code: String, Sendable, CaseIterable {
    /// The disk, its quota or the journal's own bound is full.
    case full
    /// The file or its file system can be read only.
    case readOnly = "read_only"
    /// The directory or a file in it may not be opened, made or renamed.
    case inaccessible
    /// Another process has the journal open.
    case inUse = "in_use"
    /// The disk failed to read or to write.
    case io
    /// The file is not a journal that this version can use, or is no longer; opening again sets it aside.
    case damaged
    /// The file was removed or replaced while it is open: put it back, close, and open again.
    case moved
    /// The journal is closed.
    case closed
    /// A trim was planned before records of it were acknowledged or removed; plan again.
    case staleTrim = "stale_trim"
    /// A request that cannot be met; nothing was changed.
    case refused
  }

  /// What kind of failure it is.
  public let code: Code
  /// What failed, why, and what to do about it.
  public let message: String

  /// Makes an error; the message says what to do.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The code and the message.
  public var description: String { "\(code.rawValue): \(message)" }
}
