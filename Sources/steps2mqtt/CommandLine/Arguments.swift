import Wire

/// The words of a command line, sorted by option.
struct Arguments: Sendable {
  private(set) var values: [String: [String]] = [:]
  private(set) var operands: [String] = []

  /// Sorts words by the options that a command takes.
  init(_ words: ArraySlice<String>, for specification: Specification) throws(UsageError) {
    let options = specification.options + Option.common
    let command = specification.name
    var words = words
    var areOptions = true
    while let word = words.popFirst() {
      guard areOptions, word.hasPrefix("-"), word.count > 1 else {
        operands.append(word)
        continue
      }
      if word == "--" {
        areOptions = false
        continue
      }
      let name = word == "-h" ? "--help" : String(word.prefix { $0 != "=" })
      guard let option = options.first(where: { $0.name == name }) else {
        let guess = nearest(to: name, among: options.map(\.name)).map { "did you mean \($0)?" }
        throw UsageError("\(command) has no option \(name.shown); \(guess ?? "see 'steps2mqtt \(command) --help'")")
      }
      var value = word.count > name.count && word != "-h" ? String(word.dropFirst(name.count + 1)) : nil
      if option.value == nil {
        guard value == nil else { throw UsageError("\(name) takes no value") }
        value = ""
      }
      guard let value = value ?? words.popFirst() else {
        throw UsageError("\(name) needs a value: \(option.usage)")
      }
      guard values[name] == nil || name == "--set" || option.value == nil else {
        throw UsageError("\(name) is given twice; keep one")
      }
      values[name, default: []].append(value)
    }
  }

  /// Checks that what a command cannot do without is there, and nothing more.
  func check(_ specification: Specification) throws(UsageError) {
    for option in specification.options where option.isRequired && values[option.name] == nil {
      throw UsageError("\(specification.name) needs \(option.usage); write '\(specification.usage)'")
    }
    for override in values["--set"] ?? [] where !override.dropFirst().contains("=") {
      throw UsageError(
        "--set \(override.shown) has no value; write --set KEY=VALUE, such as --set mqtt.root=home/steps")
    }
    let operands = specification.operands
    if self.operands.count < operands.count.lowerBound {
      throw UsageError("\(specification.name) needs \(operands.name); write '\(specification.usage)'")
    }
    if self.operands.count > operands.count.upperBound {
      let extra = self.operands[operands.count.upperBound].shown
      throw UsageError("'\(extra)' is one word too many; write '\(specification.usage)'")
    }
  }

  func has(_ name: String) -> Bool { values[name] != nil }

  func text(_ name: String) -> String? { values[name]?.last }

  /// A number of seconds above 0.
  func seconds(_ name: String) throws(UsageError) -> Double? {
    guard let text = text(name) else { return nil }
    guard let seconds = text.asDecimal, seconds > 0, seconds <= 31_536_000 else {
      throw UsageError("\(name) '\(text.shown)' is not a number of seconds above 0")
    }
    return seconds
  }

  /// A length in m above 0.
  func metres(_ name: String) throws(UsageError) -> Double? {
    guard let text = text(name) else { return nil }
    guard let metres = text.asDecimal, metres > 0, metres <= 1_000_000 else {
      throw UsageError("\(name) '\(text.shown)' is not a length in m above 0")
    }
    return metres
  }

  /// A time: RFC 3339, or how long ago.
  func moment(_ name: String) throws(UsageError) -> Moment? {
    guard let text = text(name) else { return nil }
    if let seconds = text.asSpan { return .ago(seconds) }
    guard let time = RFC3339.milliseconds(text) else {
      throw UsageError(
        "\(name) '\(text.shown)' is not a time; write 2026-11-30T08:00:00Z, or how long ago: 90m, 2h, 7d")
    }
    return .date(time)
  }

  /// A length of time in whole seconds, at least a minute.
  func span(_ name: String) throws(UsageError) -> Int? {
    guard let text = text(name) else { return nil }
    guard let seconds = text.asSpan, seconds >= 60, let whole = Int(exactly: seconds) else {
      throw UsageError("\(name) '\(text.shown)' is not a length of time of at least a minute; write 15m, 1h or 1d")
    }
    return whole
  }

  /// The device that is told.
  func device() throws(UsageError) -> Device {
    let text = operands.first ?? ""
    if text == Topics.everyone { return .all }
    let ofGroup = "\(Topics.group)/"
    let isGroup = text.hasPrefix(ofGroup)
    let name = isGroup ? String(text.dropFirst(ofGroup.count)) : text
    guard isGroup ? Topics.isID(name) : Topics.isDevice(name) else {
      throw UsageError(
        "'\(text.shown)' is no device; write its id (A-Z a-z 0-9 _ -), _group/NAME, or _all for every device")
    }
    return isGroup ? .group(name) : .one(name)
  }
}

extension String {
  /// The seconds in `45s`, `90m`, `2h` or `7d`; nil for anything else.
  var asSpan: Double? {
    let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    guard let unit = last.flatMap({ units[$0] }), let count = dropLast().asDecimal, count > 0 else { return nil }
    let seconds = count * unit
    return seconds <= 3_650 * 86_400 ? seconds : nil
  }
}
