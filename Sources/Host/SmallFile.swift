import Glibc

/// Reads files that are small by nature: configurations, secrets, figures of the kernel.
public enum SmallFile {
  /// The bytes of a file of at most `limit` bytes.
  ///
  /// Throws when it cannot be read or is larger; a FIFO without a writer reads as empty rather than waiting.
  public static func read(_ path: String, limit: Int) throws(HostError) -> (bytes: [UInt8], mode: UInt32) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw HostError(file: path, code: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw HostError(file: path, code: errno) }
    var bytes = [UInt8](repeating: 0, count: limit + 1)
    var count = 0
    while count <= limit {
      let read = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe Glibc.read(descriptor, buffer.baseAddress.map { unsafe $0 + count }, buffer.count - count)
      }
      if read < 0 && errno == EINTR { continue }
      guard read >= 0 else { throw HostError(file: path, code: errno) }
      if read == 0 { return (Array(bytes.prefix(count)), status.st_mode) }
      count += read
    }
    throw HostError(code: EFBIG, "'\(path)' is larger than \(limit) bytes")
  }

  /// Whether every user of the machine may read a file; false where it cannot be looked at.
  public static func isWorldReadable(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IROTH != 0
  }
}
