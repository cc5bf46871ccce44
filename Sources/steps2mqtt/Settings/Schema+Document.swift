extension Schema {
  /// The text of `Config/steps2mqtt.yaml`: every setting with its default, why it is there, and what it may be.
  static var document: String {
    var lines = [
      "# Every setting of steps2mqtt, with its default. What is left out keeps its default, so keep only what you change.",
      "# STEPS2MQTT_KEY_PATH=value in the environment goes over this file, --set key.path=value over both.",
      "# 'steps2mqtt check --config FILE' says what is wrong with a file, and then tries it.",
    ]
    var open: [Substring] = []
    for setting in settings {
      let path = setting.key.split(separator: ".")
      let groups = path.dropLast()
      let shared = zip(open, groups).prefix { $0 == $1 }.count
      for level in shared..<groups.count {
        if level == 0 { lines.append("") }
        lines.append("\(indent(level))\(groups[level]):")
      }
      open = Array(groups)
      let margin = indent(groups.count)
      lines += setting.explanation(margin: margin + "# ")
      lines.append("\(margin)\(path[groups.count]): \(setting.text(Settings()))")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Every setting with its default, for help.
  static var list: [String] {
    settings.flatMap { ["  \($0.key)=\($0.text(Settings()))"] + $0.explanation(margin: "      ") }
  }

  private static func indent(_ level: Int) -> String { String(repeating: "  ", count: level) }
}

extension Setting {
  /// Why it is there and what it may be, in one line or two of at most 120 characters.
  fileprivate func explanation(margin: String) -> [String] {
    let line = "\(margin)\(why) (\(form))"
    return line.count <= 120 ? [line] : ["\(margin)\(why)", "\(margin)(\(form))"]
  }
}
