import Glibc

/// Files that are written whole.
enum TextFile {
  /// Writes a text, over what was there.
  static func write(_ text: String, to path: String) throws(PlotError) {
    guard let file = unsafe fopen(path, "we") else { throw failure(path) }
    let isWritten = unsafe fputs(text, file) >= 0
    guard unsafe fclose(file) == 0, isWritten else { throw failure(path) }
  }

  private static func failure(_ path: String) -> PlotError {
    let reason = unsafe strerror(errno).map { unsafe String(cString: $0) } ?? "error \(errno)"
    return PlotError("'\(path)' cannot be written: \(reason); name another file with -o")
  }
}
