/// The texts of `--help`, made from what the parser itself reads.
enum Help {
  static let pointer = "'steps2mqtt --help' lists them all"

  /// All commands, a line each.
  static var overview: String {
    var lines = [
      "steps2mqtt counts steps from an accelerometer and speaks MQTT.", "",
      "Usage: steps2mqtt COMMAND [OPTIONS]", "", "Commands:",
    ]
    lines += table(Specification.all.map { ($0.name, $0.summary) })
    lines += ["", "Options of every command:"]
    let version = ("--version", "shows the versions of it and its libraries")
    lines += table(Option.common.map { ($0.usage, $0.why) } + [version])
    lines += [
      "", "Exit status: 0 done, 1 failed, 2 wrong use.", "",
      "'steps2mqtt COMMAND --help' has examples; 'steps2mqtt run --help' lists every setting.",
    ]
    return lines.joined(separator: "\n")
  }

  /// One command, with examples.
  static func page(of specification: Specification) -> String {
    var lines = [specification.summary] + specification.details + ["", "Usage: \(specification.usage)", "", "Options:"]
    lines += table((specification.options + Option.common).map { ($0.usage, $0.why) })
    lines += ["", "Examples:"]
    for example in specification.examples { lines += ["  # \(example.why)", "  \(example.line)"] }
    if specification.name == "run" { lines += ["", "Settings, with their defaults:"] + Schema.list }
    return lines.joined(separator: "\n")
  }

  private static func table(_ rows: [(String, String)]) -> [String] {
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { "  " + $0.0 + String(repeating: " ", count: width - $0.0.count + 2) + $0.1 }
  }
}
