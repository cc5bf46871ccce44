import CSQLite

extension Journal {
  /// The version of the SQLite that runs, such as `3.40.1`.
  public static let libraryVersion = unsafe String(cString: sqlite3_libversion())
}
