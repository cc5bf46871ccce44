import Journal
import MQTT
import YAML

/// The program's version, and those of what it is made of.
enum Version {
  /// As in the change log.
  static let number = "0.1.0"

  /// The libraries that are loaded, by name.
  static var libraries: [String: String] {
    ["libmosquitto": MQTT.Library.version, "libsqlite3": Journal.libraryVersion, "libyaml": YAML.Library.version]
  }

  /// What `--version` prints.
  static var text: String {
    let libraries = libraries.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    return (["steps2mqtt \(number)"] + libraries).joined(separator: "\n")
  }
}
