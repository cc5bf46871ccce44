/// The waits between attempts to open a device again: from 0.5 s, doubled up to 8 s.
///
/// Looking for a device costs some ten milliseconds: this is soon enough for a plug that a person has put back.
struct Backoff: Sendable {
  private var seconds = 0.5

  mutating func next() -> Double {
    defer { seconds = min(seconds * 2, 8) }
    return seconds
  }

  mutating func reset() { seconds = 0.5 }
}
