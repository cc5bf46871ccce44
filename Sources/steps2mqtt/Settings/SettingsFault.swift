/// Where a value was written.
enum Origin: Sendable, Equatable, CustomStringConvertible {
  case file(String, line: Int, column: Int)
  /// An option of the command line, such as `--set`.
  case option(String)
  case variable(String)

  var description: String {
    switch self {
    case .file(let path, let line, let column): "\(path):\(line):\(column)"
    case .option(let name): name
    case .variable(let name): name
    }
  }
}

/// What is wrong with a setting, where it was written, and what would be right.
struct SettingsFault: Sendable, Equatable, CustomStringConvertible {
  var origin: Origin
  /// The setting; empty where the whole file is meant.
  var key: String
  var message: String

  /// One line: `steps2mqtt.yaml:14:9: mqtt.keepalive_s: 'abc' is not a whole number from 5 to 65535`.
  var description: String {
    key.isEmpty ? "\(origin): \(message)" : "\(origin): \(key): \(message)"
  }
}

/// All that is wrong with a configuration, a line each.
struct SettingsError: Error, Equatable, CustomStringConvertible {
  var faults: [SettingsFault]

  /// The most faults that are printed; the rest is counted.
  static let shown = 40

  var description: String {
    var lines = faults.prefix(Self.shown).map(\.description)
    if faults.count > Self.shown { lines.append("… and \(faults.count - Self.shown) more") }
    return lines.joined(separator: "\n")
  }
}
