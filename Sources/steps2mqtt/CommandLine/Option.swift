/// An option of a command.
struct Option: Sendable {
  /// With its dashes: `--out`.
  let name: String
  /// What its value is called in help; nil for an option without a value.
  let value: String?
  let why: String
  let isRequired: Bool

  /// An option without a value.
  init(_ name: String, _ why: String) {
    self.init(name, nil, why)
  }

  init(_ name: String, _ value: String?, _ why: String, isRequired: Bool = false) {
    self.name = name
    self.value = value
    self.why = why
    self.isRequired = isRequired
  }

  /// As it is written: `--out FILE`.
  var usage: String { value.map { "\(name) \($0)" } ?? name }

  static let config = Option("--config", "FILE", "the configuration (YAML)")
  static let set = Option("--set", "KEY=VALUE", "sets one setting, over the file and the environment; may be repeated")
  static let help = Option("--help", "shows this, with examples")
  static let json = Option("--json", "prints JSON, one object a line")
  static let timeout = Option("--timeout", "S", "how long to wait for the answer, in s (default 10)")
  static let common = [config, set, help]
}

/// What follows the options: names of files, or of a device.
struct Operands: Sendable {
  let name: String
  let count: ClosedRange<Int>

  static let none = Operands(name: "", count: 0...0)
  static let device = Operands(name: "DEVICE", count: 1...1)
  static let recording = Operands(name: "RECORDING", count: 1...1)
  static let files = Operands(name: "FILE…", count: 1...Int.max)
}

/// A command as it is written, explained and read.
struct Specification: Sendable {
  let name: String
  /// What it does, in one line.
  let summary: String
  /// What more there is to know, as lines of at most 80 characters.
  var details: [String] = []
  var options: [Option] = []
  var operands = Operands.none
  /// Lines to copy, each with what it does.
  let examples: [(line: String, why: String)]
  let make: @Sendable (Arguments) throws(UsageError) -> Command

  /// One line: `steps2mqtt record --out FILE [--seconds N]`.
  var usage: String {
    var words = ["steps2mqtt", name]
    words += options.map { $0.isRequired ? $0.usage : "[\($0.usage)]" }
    if !operands.name.isEmpty { words.append(operands.name) }
    return words.joined(separator: " ")
  }
}
