import CYAML

/// What the text says next.
struct Event {
  enum Kind {
    case streamStart, streamEnd, documentStart, documentEnd, alias, sequenceEnd, mappingEnd
    case scalar(String, isPlain: Bool)
    case sequenceStart, mappingStart
  }

  var kind: Kind
  var position: Position
  /// Whether the value has an anchor (`&name`) or a tag (`!name`).
  var hasAnchor = false, hasTag = false
}

/// libyaml's parser, which keeps its own copy of the text.
@safe struct Parser: ~Copyable {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let text: UnsafeMutableBufferPointer<UInt8>

  init(_ bytes: [UInt8]) {
    unsafe text = .allocate(capacity: bytes.count)
    _ = unsafe text.initialize(from: bytes)
    unsafe parser = .allocate(capacity: 1)
    unsafe precondition(yaml_parser_initialize(parser) == 1, "no memory for a YAML parser")
    // Said rather than guessed: a file in UTF-16 is a mistake here, and is reported as one.
    unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    unsafe yaml_parser_set_input_string(parser, text.baseAddress, text.count)
  }

  deinit {
    unsafe yaml_parser_delete(parser)
    unsafe parser.deallocate()
    unsafe text.deallocate()
  }

  /// Reads the next event; after a fault there is none.
  mutating func next() throws(Fault) -> Event {
    var event = unsafe yaml_event_t()
    guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw fault() }
    defer { unsafe yaml_event_delete(&event) }
    let position = unsafe Position(event.start_mark)
    switch unsafe event.type {
    case YAML_STREAM_START_EVENT: return Event(kind: .streamStart, position: position)
    case YAML_DOCUMENT_START_EVENT: return Event(kind: .documentStart, position: position)
    case YAML_DOCUMENT_END_EVENT: return Event(kind: .documentEnd, position: position)
    case YAML_ALIAS_EVENT: return Event(kind: .alias, position: position)
    case YAML_SEQUENCE_END_EVENT: return Event(kind: .sequenceEnd, position: position)
    case YAML_MAPPING_END_EVENT: return Event(kind: .mappingEnd, position: position)
    case YAML_SCALAR_EVENT:
      let scalar = unsafe event.data.scalar
      let text = unsafe String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
      return unsafe Event(
        kind: .scalar(text, isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE), position: position,
        hasAnchor: scalar.anchor != nil, hasTag: scalar.tag != nil)
    case YAML_SEQUENCE_START_EVENT:
      let start = unsafe event.data.sequence_start
      return unsafe Event(
        kind: .sequenceStart, position: position, hasAnchor: start.anchor != nil, hasTag: start.tag != nil)
    case YAML_MAPPING_START_EVENT:
      let start = unsafe event.data.mapping_start
      return unsafe Event(
        kind: .mappingStart, position: position, hasAnchor: start.anchor != nil, hasTag: start.tag != nil)
    default: return Event(kind: .streamEnd, position: position)
    }
  }

  /// What libyaml has against the text, as a sentence.
  private func fault() -> Fault {
    let problem = unsafe parser.pointee.problem.map { unsafe String(cString: $0) } ?? "cannot be read"
    switch unsafe parser.pointee.error {
    case YAML_READER_ERROR:
      // The reader gives an offset in bytes and no mark.
      let before = unsafe text.prefix(Int(parser.pointee.problem_offset))
      let line = unsafe before.count { $0 == UInt8(ascii: "\n") } + 1
      let start = unsafe before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
      let column = unsafe String(decoding: before[start...], as: UTF8.self).unicodeScalars.count + 1
      let hint =
        problem.contains("control characters")
        ? "a control character; remove it or write it as \"\\x07\" in quotes" : "\(problem); save the file as UTF-8"
      return Fault(at: Position(line: line, column: column), hint)
    case YAML_MEMORY_ERROR:
      return Fault(at: unsafe Position(parser.pointee.mark), "no memory left to read the file")
    default:
      let position = unsafe Position(parser.pointee.problem_mark)
      if unsafe byte(at: parser.pointee.problem_mark.index) == UInt8(ascii: "\t") {
        return Fault(at: position, "a tab cannot indent; use spaces")
      }
      guard let context = unsafe parser.pointee.context.map({ unsafe String(cString: $0) }) else {
        return Fault(at: position, problem)
      }
      let begin = unsafe Position(parser.pointee.context_mark)
      let place = begin == position ? "" : " that begins at \(begin.line):\(begin.column)"
      return Fault(at: position, "\(problem) \(context)\(place)")
    }
  }

  /// The byte at an index in characters; nil where characters before it are not ASCII and the index says nothing.
  private func byte(at index: Int) -> UInt8? {
    guard unsafe index < text.count, unsafe text.prefix(index).allSatisfy({ $0 < 0x80 }) else { return nil }
    return unsafe text[index]
  }
}

extension Position {
  fileprivate init(_ mark: yaml_mark_t) {
    self.init(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
  }
}
