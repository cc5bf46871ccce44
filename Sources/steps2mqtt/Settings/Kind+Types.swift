import YAML

extension Kind where Value == Int {
  /// Whole numbers of a range.
  static func whole(_ range: ClosedRange<Int>) -> Kind {
    Kind(
      .word, form: "a whole number from \(range.lowerBound) to \(range.upperBound)",
      parse: { text in Int(text).flatMap { range.contains($0) ? $0 : nil } }, write: { "\($0)" })
  }
}

extension Kind where Value == Double {
  /// Numbers of a range.
  static func number(_ range: ClosedRange<Double>) -> Kind {
    Kind(
      .word, form: "a number from \(range.lowerBound.plain) to \(range.upperBound.plain)",
      parse: { text in text.asDecimal.flatMap { range.contains($0) ? $0 : nil } }, write: { $0.plain })
  }
}

extension Kind where Value == Bool {
  static var flag: Kind {
    Kind(
      .word, form: "true or false", parse: { $0 == "true" ? true : $0 == "false" ? false : nil }, write: { "\($0)" })
  }
}

extension Kind where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
  /// One of some words.
  static var choice: Kind {
    let words = Value.allCases.map(\.rawValue)
    let form = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
    return Kind(
      .word, form: form,
      objection: { text in
        guard !words.contains(text), let guess = nearest(to: text, among: words) else { return nil }
        return "'\(text.shown)' is not \(form); did you mean \(guess)?"
      },
      parse: { Value(rawValue: $0) }, write: { $0.rawValue })
  }
}

extension Kind where Value == String {
  /// Text that passes a check.
  static func text(_ form: String, _ isRight: @escaping @Sendable (String) -> Bool) -> Kind {
    Kind(
      .text, form: form, parse: { $0.isOneLine && isRight($0) ? $0 : nil }, write: { $0.yaml })
  }

  /// A path of the file system, or none.
  static var path: Kind {
    text("a path, or \"\" for none") { $0.utf8.count <= 4095 }
  }
}

extension Kind where Value == Settings.Sensor.Speed {
  static var speed: Kind {
    Kind(
      .word, form: "a factor from 0.01 to 10000, or max",
      parse: { text in
        if text == "max" { return .max }
        return text.asDecimal.flatMap { (0.01...10000).contains($0) ? .factor($0) : nil }
      },
      write: {
        switch $0 {
        case .max: "max"
        case .factor(let factor): factor.plain
        }
      })
  }
}

extension Kind {
  /// Some values of a kind.
  static func list<Element>(
    of kind: Kind<Element>, _ count: ClosedRange<Int>, _ nouns: String
  ) -> Kind where Value == [Element] {
    let bounds = count.lowerBound == 0 ? "at most \(count.upperBound)" : "\(count.lowerBound) to \(count.upperBound)"
    let form = "a list of \(bounds) \(nouns)"
    return Kind(
      list: "\(form), each \(kind.form)",
      read: { node throws(Refusal) in
        guard case .sequence(let nodes) = node.content else {
          // A broker's URL may hold a secret, which must not be shown.
          let example = node.content.example
          let hint = example.contains("@") ? "" : "; write [\(example)]"
          throw Refusal(node, "is not \(form), but \(node.content.noun)\(hint)")
        }
        guard count.contains(nodes.count) else { throw Refusal(node, "has \(nodes.count) values, not \(form)") }
        var values: [Element] = []
        var items: [Refusal.Item] = []
        for (index, node) in nodes.enumerated() {
          do throws(Refusal) {
            values.append(try kind.read(node))
          } catch {
            items += error.items.map {
              Refusal.Item(suffix: "[\(index)]\($0.suffix)", position: $0.position, message: $0.message)
            }
          }
        }
        guard items.isEmpty else { throw Refusal(items) }
        return values
      },
      write: { "[" + $0.map(kind.write).joined(separator: ", ") + "]" })
  }
}

extension Node.Content {
  fileprivate var example: String {
    if case .scalar(let text, _) = self, !text.isEmpty { return text.shown }
    return "…"
  }
}

extension Double {
  /// The number as a person writes it: no `.0` and no exponent within the ranges used here.
  var plain: String {
    if let whole = Int(exactly: self) { return "\(whole)" }
    return "\(self)"
  }
}

extension StringProtocol {
  /// The number that the text is in decimal notation; nil for hexadecimal, infinite and other forms.
  var asDecimal: Double? {
    guard utf8.allSatisfy({ ($0 >= 0x30 && $0 <= 0x39) || "+-.eE".utf8.contains($0) }) else { return nil }
    return Double(self)
  }

  /// The text as YAML: in quotes where it would be taken for something else.
  var yaml: String {
    let isPlain =
      first?.isLetter == true && unicodeScalars.allSatisfy { $0.isWord || "./:".unicodeScalars.contains($0) }
      && last != ":" && !["true", "false", "null"].contains(String(self))
    if isPlain || (first == "/" && unicodeScalars.allSatisfy { $0.isWord || "./".unicodeScalars.contains($0) }) {
      return String(self)
    }
    return "\"" + writing(["\\": "\\\\", "\"": "\\\""]) + "\""
  }

  var isOneLine: Bool { unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } }
}
