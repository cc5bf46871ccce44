/// A place in a document, for messages: line and column count from 1, columns in characters.
public struct Position: Sendable, Hashable {
  /// The line, from 1.
  public var line: Int
  /// The column in characters, from 1.
  public var column: Int

  /// Makes a place from a line and a column, both counted from 1.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

/// What is wrong with a document, and where.
public struct Fault: Error, Sendable, Equatable {
  /// Where it is wrong.
  public var position: Position
  /// What is wrong and what would be right, without the place.
  public var message: String

  /// Makes a fault at a place.
  public init(at position: Position, _ message: String) {
    self.position = position
    self.message = message
  }
}
