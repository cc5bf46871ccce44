/// Builds the tree of a document from the parser's events, and collects what it does not take.
struct Composer: ~Copyable {
  private(set) var faults: [Fault] = []
  private var parser: Parser
  private let depth: Int

  init(_ bytes: [UInt8], depth: Int) {
    parser = Parser(bytes)
    self.depth = depth
  }

  /// Reads the one document; nil when there is none or its syntax is broken.
  mutating func document() -> Node? {
    var root: Node?
    var hasBegun = false
    do throws(Fault) {
      while true {
        let event = try parser.next()
        switch event.kind {
        case .streamStart, .documentEnd: continue
        case .documentStart where hasBegun:
          throw Fault(at: event.position, "a second document begins here; only one is taken")
        case .documentStart: hasBegun = true
        case .streamEnd: return root
        case .alias, .scalar, .sequenceStart, .sequenceEnd, .mappingStart, .mappingEnd:
          root = try node(event, level: 1)
        }
      }
    } catch {
      faults.append(error)
      return nil
    }
  }

  /// Reads the value that an event begins; nil when it is one that is not taken.
  private mutating func node(_ event: Event, level: Int) throws(Fault) -> Node? {
    if event.hasAnchor { refuse(event, "anchors (&name) are not taken; write the value where it is needed") }
    if event.hasTag { refuse(event, "tags (!name) are not taken; the setting itself says what type it has") }
    switch event.kind {
    case .scalar(let text, let isPlain):
      return Node(.scalar(text, isPlain: isPlain), at: event.position)
    case .sequenceStart:
      try check(level, at: event.position)
      return Node(.sequence(try values(level: level)), at: event.position)
    case .mappingStart:
      try check(level, at: event.position)
      return Node(.mapping(try entries(level: level)), at: event.position)
    case .alias:
      refuse(event, "aliases (*name) are not taken; write the value itself")
      return nil
    case .streamStart, .streamEnd, .documentStart, .documentEnd, .sequenceEnd, .mappingEnd:
      preconditionFailure("libyaml began a value with an event that begins none")
    }
  }

  private mutating func values(level: Int) throws(Fault) -> [Node] {
    var values: [Node] = []
    while true {
      let event = try parser.next()
      if case .sequenceEnd = event.kind { return values }
      if let value = try node(event, level: level + 1) { values.append(value) }
    }
  }

  private mutating func entries(level: Int) throws(Fault) -> [Node.Entry] {
    var entries: [Node.Entry] = []
    var lines: [String: Int] = [:]
    while true {
      let event = try parser.next()
      if case .mappingEnd = event.kind { return entries }
      let key = try node(event, level: level + 1)
      let value = try node(try parser.next(), level: level + 1)
      guard case .scalar(let text, _)? = key?.content else {
        if key != nil { refuse(event, "a key must be a word") }
        continue
      }
      if let line = lines[text] {
        refuse(event, "the same key stands in line \(line) already; keep one of them")
        continue
      }
      lines[text] = event.position.line
      if let value { entries.append(Node.Entry(text, at: event.position, value)) }
    }
  }

  private mutating func refuse(_ event: Event, _ message: String) {
    faults.append(Fault(at: event.position, message))
  }

  private func check(_ level: Int, at position: Position) throws(Fault) {
    if level > depth { throw Fault(at: position, "nests deeper than \(depth) levels") }
  }
}
