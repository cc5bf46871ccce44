import Glibc

/// What is known of standard output or standard error.
public struct Terminal: Sendable {
  /// The stream.
  public enum Stream: Int32, Sendable {
    /// Standard output.
    case output = 1
    /// Standard error.
    case error = 2
  }

  private let stream: Stream

  /// Makes the terminal that a stream may be.
  public init(_ stream: Stream) { self.stream = stream }

  /// Whether a person is looking, rather than a file or a pipe.
  public var isInteractive: Bool { isatty(stream.rawValue) == 1 }

  /// Whether colours are understood and wanted (see no-color.org).
  public var hasColours: Bool {
    isInteractive && Environment["NO_COLOR"].map(\.isEmpty) ?? true && Environment["TERM"] != "dumb"
  }

  /// The width in columns; 80 where it cannot be known.
  public var width: Int {
    var size = winsize()
    if unsafe ioctl(stream.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
    return Environment["COLUMNS"].flatMap { Int($0) }.map { min(max($0, 20), 1000) } ?? 80
  }

  /// Has something open where the process was started without standard input, output or error.
  ///
  /// Else the next file or socket would take the number, and what is meant for a person go into it.
  public static func keepStreams() {
    for stream in 0...2 as ClosedRange<Int32> where fcntl(stream, F_GETFD) < 0 {
      // Not for writing: who writes is still told that nothing is there.
      _ = unsafe open("/dev/null", O_RDONLY)
    }
  }

  /// Writes a line if the stream takes it at once; false where nobody reads it, however long that lasts.
  func offer(_ line: String) -> Bool {
    var request = pollfd(fd: stream.rawValue, events: Int16(POLLOUT), revents: 0)
    guard unsafe poll(&request, 1, 0) > 0, Int32(request.revents) & POLLOUT != 0 else { return false }
    // A pipe that can be written to takes so much without a wait (PIPE_BUF).
    let longest = 4096
    return take(
      line.utf8.count <= longest ? line : String(decoding: line.utf8.prefix(longest - 1), as: UTF8.self) + "\n")
      != EAGAIN
  }

  /// Writes text at once; throws what a closed or full stream says, and the rest is dropped.
  public func write(_ text: String) throws(HostError) {
    let code = take(text)
    guard code == 0 else { throw HostError(code: code, "standard \(stream): \(HostError.words(code))") }
  }

  /// The number of what stood in the way, 0 for nothing.
  private func take(_ text: String) -> Int32 {
    var text = text
    return text.withUTF8 { bytes in
      guard let start = bytes.baseAddress else { return 0 }
      var done = 0
      while done < bytes.count {
        let count = unsafe Glibc.write(stream.rawValue, start + done, bytes.count - done)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return errno }
        done += count
      }
      return 0
    }
  }
}

/// The process's environment.
public enum Environment {
  /// The value of a variable; nil where it is not set.
  public static subscript(name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  /// All variables.
  public static var all: [String: String] {
    var variables: [String: String] = [:]
    var entry = unsafe environ
    while let text = unsafe entry.pointee {
      let line = unsafe String(cString: text)
      if let equals = line.firstIndex(of: "=") {
        variables[String(line[..<equals])] = String(line[line.index(after: equals)...])
      }
      unsafe entry += 1
    }
    return variables
  }
}
