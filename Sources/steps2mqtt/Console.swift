import Host

/// What a command says to whoever called it: results to standard output, complaints to standard error.
enum Console {
  private static let output = Terminal(.output)
  private static let error = Terminal(.error)

  /// Whether colours are understood and wanted on standard output.
  static var hasColours: Bool { output.hasColours }

  /// Writes a result, with a line break.
  static func print(_ text: String) { output.write(text + "\n") }

  /// Writes a complaint, with the program's name before it.
  static func complain(_ text: String) { error.write("steps2mqtt: \(text)\n") }
}

/// How a command ended, as the shell sees it.
enum ExitStatus: Int32 {
  /// It was done.
  case done = 0
  /// It failed; standard error says why.
  case failed = 1
  /// It was used wrongly.
  case misused = 2
}
