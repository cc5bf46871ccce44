import YAML

/// What a value has against it, and where within the value.
struct Refusal: Error {
  /// One thing that is wrong.
  struct Item {
    /// The place within the value, as a suffix of the key: `[0]` for the first of a list, else empty.
    var suffix = ""
    var position: Position
    var message: String
  }

  var items: [Item]

  init(_ items: [Item]) { self.items = items }
  init(_ node: Node, _ message: String) { items = [Item(position: node.position, message: message)] }
}

/// How values of one type are written, read and checked.
struct Kind<Value: Sendable & Equatable>: Sendable {
  /// How a value is written in one line, on the command line or in the environment.
  enum Shape: Sendable {
    /// Any characters.
    case text
    /// A number or one of some words, never in quotes.
    case word
    /// Values with commas between them, or as YAML in brackets.
    case list
  }

  let shape: Shape
  /// What is right, as it follows "is not": `a whole number from 1 to 65535`.
  let form: String
  let read: @Sendable (Node) throws(Refusal) -> Value
  /// The value as it is written in YAML.
  let write: @Sendable (Value) -> String

  /// A kind whose values are words: `parse` gives nil for what is not one.
  ///
  /// `objection` is asked first, and may say more than that the text is not of the form.
  init(
    _ shape: Shape, form: String, objection: @escaping @Sendable (String) -> String? = { _ in nil },
    parse: @escaping @Sendable (String) -> Value?, write: @escaping @Sendable (Value) -> String
  ) {
    self.shape = shape
    self.form = form
    self.write = write
    read = { node throws(Refusal) in
      guard case .scalar(let text, let isPlain) = node.content else {
        throw Refusal(node, "is not \(form), but \(node.content.noun)")
      }
      if node.isNull { throw Refusal(node, "has no value; write \(form)") }
      if shape == .word && !isPlain { throw Refusal(node, "\"\(text.shown)\" in quotes is text, not \(form)") }
      if let objection = objection(text) { throw Refusal(node, objection) }
      guard let value = parse(text) else { throw Refusal(node, "'\(text.shown)' is not \(form)") }
      return value
    }
  }

  init(
    list form: String, read: @escaping @Sendable (Node) throws(Refusal) -> Value,
    write: @escaping @Sendable (Value) -> String
  ) {
    shape = .list
    self.form = form
    self.read = read
    self.write = write
  }

  /// The value as a node, from one line of the command line or the environment.
  func node(from line: String) -> Node {
    let start = Position(line: 1, column: 1)
    switch shape {
    case .text: return Node(.scalar(line, isPlain: false), at: start)
    case .word: return Node(.scalar(line, isPlain: true), at: start)
    case .list:
      if line.hasPrefix("["), let root = Document(parsing: line).root { return root }
      let values = line.split(separator: ",").map {
        Node(.scalar($0.trimmingSpaces, isPlain: true), at: start)
      }
      return Node(.sequence(values), at: start)
    }
  }
}

extension Node.Content {
  /// What a person would call it.
  var noun: String {
    switch self {
    case .scalar: "a single value"
    case .sequence: "a list"
    case .mapping: "a group of settings"
    }
  }
}

extension StringProtocol {
  /// The text as it is shown in a message: short.
  var shown: String { printable(at: 60) }

  /// The text without anything that could disturb a terminal, cut after some characters.
  func printable(at length: Int) -> String {
    let safe = unicodeScalars.prefix(length + 1).map { scalar in
      scalar.properties.isPrintable ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
    }
    return safe.count > length ? safe.prefix(length).joined() + "…" : safe.joined()
  }

  /// The text with some characters written otherwise, with or without a mark above them.
  func writing(_ others: [Unicode.Scalar: String]) -> String {
    unicodeScalars.reduce(into: "") { text, scalar in
      if let other = others[scalar] { text += other } else { text.unicodeScalars.append(scalar) }
    }
  }

  /// Whether one of some characters is in it, with or without a mark above it: who reads bytes does not see the mark.
  func contains(anyOf characters: String) -> Bool {
    unicodeScalars.contains { characters.unicodeScalars.contains($0) }
  }

  var trimmingSpaces: String {
    var text = Substring(self)
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}

extension Unicode.Scalar.Properties {
  var isPrintable: Bool {
    switch generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: false
    default: true
    }
  }
}
