import YAML

/// Puts settings together from the file, the environment and the command line, later ones over earlier ones.
///
/// Nothing is thrown on the way: every fault is kept, so that a person sees them all at once.
struct SettingsReader {
  private(set) var settings = Settings()
  private(set) var faults: [SettingsFault] = []
  private(set) var warnings: [SettingsFault] = []
  /// Where each setting that is not a default was written last.
  private(set) var origins: [String: Origin] = [:]

  /// Takes the text of a configuration file; `path` is how messages name it.
  mutating func take(file path: String, _ bytes: [UInt8]) {
    let document = Document(parsing: bytes)
    faults += document.faults.map { SettingsFault(origin: .file(path, $0.position), key: "", message: $0.message) }
    if let root = document.root, !root.isNull { take(root, group: "", path) }
  }

  /// Takes the variables that begin with `STEPS2MQTT_`.
  ///
  /// One that is no setting is a warning only: container platforms add variables of their own that begin so.
  mutating func take(environment: [String: String]) {
    let settings = Dictionary(uniqueKeysWithValues: Schema.settings.map { ($0.variable, $0) })
    for (name, value) in environment.sorted(by: { $0.key < $1.key }) where name.hasPrefix(Schema.prefix) {
      if name == Schema.passwordVariable {
        self.settings.mqtt.password = Secret(value)
        origins["mqtt.password"] = .variable(name)
      } else if let setting = settings[name] {
        apply(setting, setting.node(value)) { _ in .variable(name) }
      } else {
        let guess = nearest(to: name, among: settings.keys).map { "; did you mean \($0)?" } ?? ""
        warnings.append(
          SettingsFault(origin: .variable(name.shown), key: "", message: "is no setting, and ignored\(guess)"))
      }
    }
  }

  /// Takes the values of `--set`, each `key.path=value`.
  mutating func take(options: [String]) {
    for option in options {
      let key = String(option.prefix { $0 != "=" })
      if let setting = Schema[key] {
        guard key.count < option.count else {
          refuse(.set, key, "has no value; write --set \(key)=VALUE")
          continue
        }
        apply(setting, setting.node(String(option.dropFirst(key.count + 1)))) { _ in .set }
      } else if Schema.groups.contains(key) {
        refuse(.set, key, "is a group; set one of its settings, such as \(Self.member(of: key))")
      } else {
        refuse(.set, key.shown, unknown(key))
      }
    }
  }

  /// Adds what was found wrong elsewhere, such as a file that cannot be read.
  mutating func refuse(_ origin: Origin, _ key: String, _ message: String) {
    faults.append(SettingsFault(origin: origin, key: key, message: message))
  }

  /// Adds what is unwise, but not wrong.
  mutating func warn(_ origin: Origin, _ key: String, _ message: String) {
    warnings.append(SettingsFault(origin: origin, key: key, message: message))
  }

  /// Sets the password that was read from its file.
  mutating func take(password: String) {
    settings.mqtt.password = Secret(password)
  }

  private mutating func take(_ node: Node, group: String, _ path: String) {
    guard case .mapping(let entries) = node.content else {
      let message =
        group.isEmpty
        ? "the file holds \(node.content.noun); write groups of settings, such as mqtt:"
        : "is a group of settings, but holds \(node.content.noun); write \(Self.member(of: group)) below it"
      refuse(.file(path, node.position), group, message)
      return
    }
    for entry in entries {
      let key = group.isEmpty ? entry.key : "\(group).\(entry.key)"
      if let setting = Schema[key] {
        apply(setting, entry.value) { .file(path, $0) }
      } else if Schema.groups.contains(key) {
        if !entry.value.isNull { take(entry.value, group: key, path) }
      } else {
        refuse(.file(path, entry.position), key.shown, unknown(key))
      }
    }
  }

  private mutating func apply(_ setting: Setting, _ node: Node, origin: (Position) -> Origin) {
    do throws(Refusal) {
      try setting.apply(node, &settings)
      origins[setting.key] = origin(node.position)
    } catch {
      for item in error.items { refuse(origin(item.position), setting.key + item.suffix, item.message) }
    }
  }

  private static func member(of group: String) -> String {
    Schema.settings.first { $0.key.hasPrefix(group + ".") }?.key ?? group
  }

  /// What to say about a key that does not exist.
  private func unknown(_ key: String) -> String {
    // Nobody reads so many, and a hostile file must not cost much.
    guard faults.count < SettingsError.shown else { return "is no setting" }
    if let hint = Schema.hints[key] { return "is no setting; \(hint)" }
    if let guess = nearest(to: key, among: Schema.names) {
      return "is no setting; did you mean \(guess)?"
    }
    let last = key.split(separator: ".").last ?? ""
    if let moved = Schema.settings.first(where: { $0.key.hasSuffix("." + last) }) {
      return "is no setting; did you mean \(moved.key)?"
    }
    return "is no setting; 'steps2mqtt run --help' lists them all"
  }
}

extension Origin {
  static let set = Origin.option("--set")

  fileprivate static func file(_ path: String, _ position: Position) -> Origin {
    .file(path, line: position.line, column: position.column)
  }
}
