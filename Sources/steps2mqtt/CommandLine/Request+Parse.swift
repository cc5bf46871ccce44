extension Request {
  /// Reads a command line, without the program's own name.
  ///
  /// Pure: nothing is opened, looked up or run. Throws one line that says what would be right.
  static func parse(_ words: [String]) throws(UsageError) -> Request {
    // What all commands share may stand before the command as well.
    var leading: [String] = []
    var rest = words[...]
    while let word = rest.first, word.hasPrefix("-") {
      switch word {
      case "--help", "-h": return .help(Help.overview)
      case "--version": return .version
      case "--config", "--set":
        leading += rest.prefix(2)
        rest = rest.dropFirst(2)
      case _ where word.hasPrefix("--config=") || word.hasPrefix("--set="):
        leading.append(word)
        rest = rest.dropFirst()
      default:
        let name = word.prefix { $0 != "=" }
        let guess = nearest(to: String(name), among: ["--help", "--version", "--config", "--set"])
        throw UsageError("there is no option \(name.shown); \(guess.map { "did you mean \($0)?" } ?? Help.pointer)")
      }
    }
    guard let name = rest.popFirst() else {
      throw UsageError("no command is given; 'steps2mqtt run' is the agent, \(Help.pointer)")
    }
    if name == "help" {
      guard let topic = rest.first else { return .help(Help.overview) }
      return .help(Help.page(of: try specification(topic)))
    }
    let specification = try specification(name)
    let arguments = try Arguments(leading[...] + rest, for: specification)
    if arguments.has("--help") { return .help(Help.page(of: specification)) }
    try arguments.check(specification)
    return .invoke(
      Invocation(
        command: try specification.make(arguments), config: arguments.text("--config"),
        overrides: arguments.values["--set"] ?? []))
  }

  private static func specification(_ name: String) throws(UsageError) -> Specification {
    if let specification = Specification.all.first(where: { $0.name == name }) { return specification }
    let guess = nearest(to: name, among: Specification.all.map(\.name)).map { "did you mean \($0)?" }
    throw UsageError("there is no command '\(name.shown)'; \(guess ?? Help.pointer)")
  }
}
