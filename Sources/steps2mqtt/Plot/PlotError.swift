/// What keeps a picture from being drawn; the message says what to do about it.
struct PlotError: Error, Sendable, Equatable, CustomStringConvertible {
  let message: String

  init(_ message: String) { self.message = message }

  var description: String { message }
}
