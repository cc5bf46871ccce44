import CSQLite
import Glibc

extension JournalError {
  /// Makes an error from SQLite's result, the system's error number and SQLite's own words about a file.
  init(sqlite result: Int32, systemError: Int32, reason: String, path: String) {
    // Elsewhere the number is left over from an earlier call.
    let concernsFile = [SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_FULL].contains(result & 0xff)
    let systemError = concernsFile ? systemError : 0
    let code = Self.code(of: result, systemError: systemError)
    let advice =
      switch code {
      case .full: "free some space on its disk, or raise journal.max_bytes"
      case .readOnly: "mount its file system read-write and let the agent's user write to the file"
      case .inaccessible: "let the agent's user read, write and enter its directory, or set journal.directory"
      case .inUse: "another steps2mqtt uses it: stop that one, or give each its own journal.directory"
      case .io: "see the kernel's log; the disk may be failing"
      case .damaged: "it is set aside when it is opened"
      case .moved, .closed, .staleTrim, .refused: "this is a defect of the agent: please report it"
      }
    let system = systemError == 0 ? "" : unsafe ", \(String(cString: strerror(systemError)))"
    self.init(code, "journal \(path): \(reason) (SQLite \(result)\(system)): \(advice)")
  }

  private static func code(of result: Int32, systemError: Int32) -> Code {
    if systemError == ENOSPC || systemError == EDQUOT { return .full }
    if systemError == EROFS { return .readOnly }
    switch result & 0xff {
    case SQLITE_FULL: return .full
    case SQLITE_READONLY: return .readOnly
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: return .inaccessible
    case SQLITE_BUSY, SQLITE_LOCKED: return .inUse
    // A statement of ours that does not compile means that the schema is not ours.
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT, SQLITE_ERROR, SQLITE_SCHEMA: return .damaged
    case SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_TOOBIG, SQLITE_RANGE, SQLITE_MISUSE: return .refused
    default: return .io
    }
  }
}
