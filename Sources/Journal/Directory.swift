import Glibc

/// The journal's directory: the database, its write-ahead log, and what was set aside.
struct Directory {
  private static let name = "steps2mqtt"

  let path: String

  var database: String { "\(path)/\(Self.name).sqlite" }
  var log: String { database + "-wal" }

  /// Makes the directory if it is missing, and an empty database that only its owner can read.
  func make() throws(JournalError) {
    if unsafe mkdir(path, 0o700) != 0, errno != EEXIST { throw failure("cannot make the directory") }
    let descriptor = unsafe open(database, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("cannot open \(database)") }
    close(descriptor)
  }

  /// What tells a file from another of its name.
  struct Identity: Equatable {
    fileprivate let device: UInt
    fileprivate let inode: UInt

    fileprivate init(_ status: stat) { (device, inode) = (UInt(status.st_dev), UInt(status.st_ino)) }
  }

  /// What tells a file from another that takes its name; nil where it cannot be seen.
  func identity(of file: String) -> Identity? {
    var status = stat()
    return unsafe stat(file, &status) == 0 ? Identity(status) : nil
  }

  /// Whether the name of a file has gone, or become that of another; one that cannot be seen is taken to be there.
  func hasLost(_ file: String, _ identity: Identity?) -> Bool {
    guard let identity else { return false }
    var status = stat()
    if unsafe stat(file, &status) == 0 { return Identity(status) != identity }
    return errno == ENOENT || errno == ENOTDIR
  }

  /// Removes a file, unless it is another that has its name.
  func remove(_ file: String, _ known: Identity?) {
    if let known, identity(of: file) == known { _ = unsafe unlink(file) }
  }

  /// The size of a file in bytes; 0 if there is none.
  func size(of file: String) -> Int64 {
    var status = stat()
    return unsafe stat(file, &status) == 0 ? Int64(status.st_size) : 0
  }

  /// The free space of the file system, in bytes; nil if it cannot be told.
  func freeBytes() -> Int64? {
    var status = statvfs()
    guard unsafe statvfs(path, &status) == 0 else { return nil }
    return Int64(status.f_bavail) * Int64(status.f_frsize)
  }

  /// Renames the database and its companions, keeps the latest two of such, and returns the new path.
  func setDatabaseAside() throws(JournalError) -> String {
    let earlier = try damagedNumbers()
    let number = (earlier.last ?? 0) + 1
    for suffix in ["", "-wal", "-shm"] {
      if unsafe rename(database + suffix, damaged(number) + suffix) != 0, errno != ENOENT {
        throw failure("cannot set \(database) aside")
      }
    }
    for old in earlier.dropLast() {
      for suffix in ["", "-wal", "-shm"] { _ = unsafe unlink(damaged(old) + suffix) }
    }
    return damaged(number)
  }

  private func damaged(_ number: Int) -> String { "\(path)/\(Self.name).damaged-\(number).sqlite" }

  private func damagedNumbers() throws(JournalError) -> [Int] {
    guard let directory = unsafe opendir(path) else { throw failure("cannot list the directory") }
    defer { _ = unsafe closedir(directory) }
    var numbers: [Int] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      let parts = name.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 3, parts[0] == Self.name, parts[1].hasPrefix("damaged-"), parts[2] == "sqlite",
        let number = Int(parts[1].dropFirst("damaged-".count))
      else { continue }
      numbers.append(number)
    }
    return numbers.sorted()
  }

  private func failure(_ what: String) -> JournalError {
    let error = errno
    let reason = unsafe String(cString: strerror(error))
    let code: JournalError.Code =
      switch error {
      case ENOSPC, EDQUOT: .full
      case EROFS: .readOnly
      case EIO: .io
      default: .inaccessible
      }
    return JournalError(
      code, "journal \(path): \(what): \(reason): set journal.directory to one that the agent's user may write to")
  }
}

extension Journal {
  /// Whether a directory has a journal.
  public static func isThere(in directory: String) -> Bool {
    unsafe access(Directory(path: directory).database, F_OK) == 0
  }
}
