import FoundationEssentials
import Glibc

/// A directory of its own that goes with its value, and all that is in it.
public final class TemporaryDirectory: Sendable {
  /// Where it is.
  public let path: String

  /// Makes a directory whose name begins in a way, below `TMPDIR` or `/tmp`.
  public init(prefix: String) throws(HostError) {
    var template = Array("\(Environment["TMPDIR"] ?? "/tmp")/\(prefix)-XXXXXX".utf8CString)
    let made = unsafe template.withUnsafeMutableBufferPointer { buffer -> String? in
      guard let base = buffer.baseAddress, let path = unsafe mkdtemp(base) else { return nil }
      return unsafe String(cString: path)
    }
    guard let made else { throw HostError(code: errno, "no temporary directory: \(HostError.words(errno))") }
    path = made
  }

  deinit {
    // What cannot be removed stays for the system's own cleaning.
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Writes a file into it and returns its path.
  public func write(_ name: String, _ text: String) throws(HostError) -> String {
    let file = "\(path)/\(name)"
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    } catch {
      throw HostError("'\(file)' cannot be written: \(error)")
    }
    return file
  }
}
