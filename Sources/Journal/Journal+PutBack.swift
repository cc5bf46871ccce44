/// A file that somebody took away, or put another in the place of, while it is open.
///
/// What is written to it then goes on into a file without a name, and is gone with the process.
extension Journal {
  /// Throws when the file of the journal's name is not the one that is open: `moved`.
  func validatePlace() throws(JournalError) {
    guard directory.hasLost(directory.database, identity.database) else { return }
    throw JournalError(
      .moved,
      "journal \(directory.path): its file was removed or replaced while it is in use: "
        + "stop the agent before its journal is moved, restored or removed")
  }

  /// Writes the file anew where it was taken away, with all that it held; leaves alone what took its place.
  ///
  /// The journal must be closed then, and opened again.
  public func putBack() throws(JournalError) {
    // A log that was left behind belongs to the file that has no name any more, and would be read into its successor.
    directory.remove(directory.log, identity.log)
    guard directory.size(of: directory.database) == 0 else { return }
    try directory.make()
    try database.run("UPDATE journal SET is_open = 0")
    try database.run("VACUUM INTO ?", .text(directory.database))
  }
}
