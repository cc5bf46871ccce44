/// A line at the bottom of a terminal that says how far something is; nothing where no person is looking.
public struct ProgressLine: Sendable {
  private let terminal: Terminal
  private let isShown: Bool
  private var last: ContinuousClock.Instant?

  /// How often the line is written anew: more cannot be read.
  private static let interval = Duration.milliseconds(100)
  static let erase = "\r\u{1B}[2K"

  /// Makes a line on standard error.
  public init() {
    terminal = Terminal(.error)
    isShown = terminal.isInteractive
  }

  /// Shows how far it is, from 0 to 1, or nil where the end is not known, and a word on it.
  public mutating func show(_ fraction: Double?, _ text: String) {
    let now = ContinuousClock.now
    guard isShown, last.map({ now - $0 >= Self.interval }) ?? true else { return }
    last = now
    write(Self.erase + Self.line(fraction, text, width: terminal.width - 1))
  }

  /// Takes the line away, before something else is written.
  public mutating func clear() {
    guard isShown, last != nil else { return }
    last = nil
    write(Self.erase)
  }

  /// A terminal that is gone needs no line.
  private func write(_ text: String) { try? terminal.write(text) }

  static func line(_ fraction: Double?, _ text: String, width: Int) -> String {
    let text = text.cleanLine
    guard let fraction, fraction.isFinite else { return String(text.prefix(width)) }
    let part = min(max(fraction, 0), 1)
    let percent = "\(Int(part * 100)) %"
    let bar = min(30, width - text.count - percent.count - 4)
    guard bar >= 5 else { return String("\(percent) \(text)".prefix(width)) }
    let full = Int(part * Double(bar))
    return "[" + String(repeating: "#", count: full) + String(repeating: ".", count: bar - full)
      + "] \(percent) \(text)"
  }
}
