import Glibc

/// Whether files can be made in a directory.
public enum WritableDirectory {
  /// Makes a file in a directory and removes it; a directory that is missing is tried in its parent.
  ///
  /// Throws an error that names the directory and the reason.
  public static func tryOut(_ path: String) throws(HostError) {
    var place = path
    if unsafe access(place, F_OK) != 0, errno == ENOENT {
      place = String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
      if place.isEmpty { place = path.hasPrefix("/") ? "/" : "." }
    }
    let file = "\(place)/.steps2mqtt-\(getpid())"
    let descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let code = errno
      throw HostError(code: code, "'\(place)' takes no new files: \(HostError.words(code))")
    }
    close(descriptor)
    unsafe unlink(file)
  }
}
