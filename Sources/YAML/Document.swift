/// A document read from YAML text, with all that is wrong with it.
///
/// Only what a configuration needs is taken: one document of scalars, sequences and mappings. Anchors, aliases and
/// tags are refused, so that a small file cannot grow into a large tree. Faults are collected rather than thrown,
/// since whoever edits a file wants to see them all; only broken syntax or a bound ends the reading.
public struct Document: Sendable, Equatable {
  /// The bounds of a document; beyond them reading ends with a fault.
  public struct Limits: Sendable, Equatable {
    /// The most bytes of text.
    public var bytes: Int
    /// The most levels of sequences and mappings.
    public var depth: Int

    /// Makes bounds; the defaults are far above any configuration a person would write.
    public init(bytes: Int = 256 * 1024, depth: Int = 16) {
      self.bytes = bytes
      self.depth = depth
    }
  }

  /// The value of the document; nil when it is empty or its syntax is broken.
  public let root: Node?
  /// All that is wrong, in the order of the text.
  ///
  /// A document with faults must not be used, only be reported on.
  public let faults: [Fault]

  /// Reads a document from UTF-8 text.
  public init(parsing bytes: [UInt8], limits: Limits = Limits()) {
    guard bytes.count <= limits.bytes else {
      root = nil
      faults = [
        Fault(at: Position(line: 1, column: 1), "is larger than \(limits.bytes) bytes, too large to be a configuration")
      ]
      return
    }
    var composer = Composer(bytes, depth: limits.depth)
    root = composer.document()
    faults = composer.faults.sorted { ($0.position.line, $0.position.column) < ($1.position.line, $1.position.column) }
  }

  /// Reads a document from text.
  public init(parsing text: String, limits: Limits = Limits()) {
    self.init(parsing: Array(text.utf8), limits: limits)
  }
}
