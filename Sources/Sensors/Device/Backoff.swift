/// The waits between attempts to open a device again: doubled from the first to the longest.
struct Backoff: Sendable {
  private let first: Double
  private let longest: Double
  private var seconds: Double

  /// Begins with the first wait, in seconds; by default 0.5 s, and 8 s at most.
  ///
  /// Looking for a device costs some ten milliseconds: this is soon enough for a plug that a person has put back.
  init(first: Double = 0.5, longest: Double = 8) {
    self.first = first
    self.longest = longest
    seconds = first
  }

  mutating func next() -> Double {
    defer { seconds = min(seconds * 2, longest) }
    return seconds
  }

  mutating func reset() { seconds = first }
}
