/// A value of a document, with the place where it begins.
public struct Node: Sendable, Equatable {
  /// What a value can be.
  public enum Content: Sendable, Equatable {
    /// Text; `isPlain` is false where it was quoted or a block, so that `"5"` and `5` can be told apart.
    case scalar(String, isPlain: Bool)
    /// Values in order.
    case sequence([Node])
    /// Keys and values in the order in which they were written; no key comes twice.
    case mapping([Entry])
  }

  /// A key of a mapping with its value.
  public struct Entry: Sendable, Equatable {
    /// The key's text.
    public var key: String
    /// Where the key begins.
    public var position: Position
    /// The value.
    public var value: Node

    /// Makes an entry whose key begins at a place.
    public init(_ key: String, at position: Position, _ value: Node) {
      self.key = key
      self.position = position
      self.value = value
    }
  }

  /// What the value is.
  public var content: Content
  /// Where the value begins.
  public var position: Position

  /// Makes a value that begins at a place.
  public init(_ content: Content, at position: Position) {
    self.content = content
    self.position = position
  }

  /// The value of a key of a mapping; nil when it is missing or when this is no mapping.
  public subscript(key: String) -> Node? {
    guard case .mapping(let entries) = content else { return nil }
    return entries.first { $0.key == key }?.value
  }

  /// Whether nothing was written: an unquoted empty value, `~` or `null`.
  public var isNull: Bool {
    guard case .scalar(let text, isPlain: true) = content else { return false }
    return text.isEmpty || text == "~" || text == "null"
  }
}
