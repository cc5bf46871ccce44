/// The one sender that is heard where several may send: another is taken when it has been silent.
struct HeardSender<Name: Equatable & Sendable>: Sendable {
  /// Whose turn it is.
  enum Turn {
    /// That of the sender that is heard.
    case same
    /// Another one's: nobody was heard before, or who was is silent.
    case another(isFirst: Bool)
    /// Still the one's that is heard, who is named.
    case leftOut(for: Name)
  }

  private let silence: Double
  private var current: (name: Name, heard: Double)?

  /// Nobody is heard yet; a sender keeps its turn until it has been silent for so long.
  init(silence: Duration) { self.silence = silence / .seconds(1) }

  /// Whose turn it is when somebody sends at a boot time, in seconds.
  func turn(of name: Name, now: Double) -> Turn {
    guard let current else { return .another(isFirst: true) }
    if current.name == name { return .same }
    return now - current.heard < silence ? .leftOut(for: current.name) : .another(isFirst: false)
  }

  /// Samples came of a sender, which is the one that is heard: who sends none does not keep others out.
  mutating func hear(_ name: Name, now: Double) { current = (name, now) }
}
