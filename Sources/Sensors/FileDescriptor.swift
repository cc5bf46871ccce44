import Glibc

/// An open file that closes itself.
struct FileDescriptor: ~Copyable {
  let raw: CInt
  let path: String
  /// Whether `deinit` closes it: standard input is only borrowed.
  private let isOwned: Bool

  /// Standard input, which stays open.
  static func standardInput() -> FileDescriptor { FileDescriptor(raw: 0, path: "standard input", isOwned: false) }

  private init(raw: CInt, path: String, isOwned: Bool) {
    self.raw = raw
    self.path = path
    self.isOwned = isOwned
  }

  /// Opens a file; flags as open(2) takes them, new files get the mode 0644.
  init(opening path: String, flags: CInt) throws(SensorError) {
    let raw = unsafe open(path, flags | O_CLOEXEC, 0o644)
    guard raw >= 0 else { throw .opening(path, errno) }
    self.init(raw: raw, path: path, isOwned: true)
  }

  deinit {
    if isOwned { _ = close(raw) }
  }

  /// The file's kind and size.
  func status() throws(SensorError) -> (isRegular: Bool, isDirectory: Bool, isFIFO: Bool, size: Int) {
    var status = stat()
    guard unsafe fstat(raw, &status) == 0 else { throw .reading(path, errno) }
    let kind = status.st_mode & S_IFMT
    return (kind == S_IFREG, kind == S_IFDIR, kind == S_IFIFO, Int(status.st_size))
  }

  /// Reads into the buffer from an index up to a limit and returns how many bytes came; 0 is the end of the file.
  func read(into buffer: inout [UInt8], from index: Int, limit: Int) throws(SensorError) -> Int {
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { bytes in
        unsafe Glibc.read(raw, bytes.baseAddress?.advanced(by: index), limit - index)
      }
      if count >= 0 { return count }
      guard errno == EINTR else { throw .reading(path, errno) }
    }
  }

  /// Writes all the bytes.
  func write(_ bytes: [UInt8]) throws(SensorError) {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { bytes in
        unsafe Glibc.write(raw, bytes.baseAddress?.advanced(by: written), bytes.count - written)
      }
      if count < 0 {
        guard errno == EINTR else { throw .writing(path, errno) }
      } else {
        written += count
      }
    }
  }

  /// Goes back to the beginning.
  func rewind() throws(SensorError) {
    guard lseek(raw, 0, SEEK_SET) == 0 else { throw .reading(path, errno) }
  }
}

extension SensorError {
  static func opening(_ path: String, _ error: CInt) -> SensorError {
    switch error {
    case ENOENT: SensorError(.notFound, "\(path): there is no such file or directory; check the path")
    case EACCES, EPERM:
      SensorError(.notPermitted, "\(path): may not be opened; give its rights to the user that runs this")
    case EBUSY: SensorError(.busy, "\(path): another program reads it; end it (fuser -v \(path))")
    default: SensorError(.inputOutput, "\(path): cannot be opened (\(text(of: error)))")
    }
  }

  static func reading(_ path: String, _ error: CInt) -> SensorError {
    SensorError(.inputOutput, "\(path): cannot be read (\(text(of: error)))")
  }

  static func writing(_ path: String, _ error: CInt) -> SensorError {
    let hint = error == ENOSPC ? "; make room on the disk or choose another place" : ""
    return SensorError(.inputOutput, "\(path): cannot be written (\(text(of: error)))\(hint)")
  }

  /// The system's words for an error number.
  static func text(of error: CInt) -> String {
    guard let words = unsafe strerror(error) else { return "error \(error)" }
    return unsafe String(cString: words)
  }
}
