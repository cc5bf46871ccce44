import Glibc
import Synchronization

/// Lines to standard error, for whoever runs the process.
///
/// Under journald a line begins with its level as `<n>` and has no time, since the journal has both; on a terminal
/// levels have colours; elsewhere a line begins with the time in UTC.
public final class Log: Sendable {
  /// How important a line is; the numbers are syslog's.
  public enum Level: Int, Sendable, Comparable, CaseIterable {
    /// Something failed that a person must see to.
    case error = 3
    /// Something is wrong, and the process goes on.
    case warning = 4
    /// A normal event that matters.
    case notice = 5
    /// What happens.
    case info = 6
    /// What helps to find a fault of the program.
    case debug = 7

    /// Whether the first is less important than the second.
    public static func < (a: Level, b: Level) -> Bool { a.rawValue > b.rawValue }

    var name: String {
      switch self {
      case .error: "error"
      case .warning: "warning"
      case .notice: "notice"
      case .info: "info"
      case .debug: "debug"
      }
    }
  }

  /// How lines look.
  enum Style: Sendable {
    case journal, terminal, plain
  }

  /// The lines of one kind that were held back.
  private struct Held {
    var since: ContinuousClock.Instant
    var count = 0
  }

  /// How long further lines of one kind are held back.
  private static let hold = Duration.seconds(60)

  private let style: Style
  /// What every line begins with.
  private let prefix: String
  private let minimum: Atomic<Int>
  private let held = Mutex<[String: Held]>([:])
  /// How many lines were not taken since the last that was.
  private let missed = Atomic(0)
  private let write: @Sendable (String) -> Bool
  private let now: @Sendable () -> ContinuousClock.Instant

  /// Makes a log that writes lines of a level and above to standard error, with what they are about first.
  public convenience init(level: Level = .info, about name: String = "") {
    let terminal = Terminal(.error)
    let style: Style = Self.isJournal() ? .journal : terminal.hasColours ? .terminal : .plain
    let prefix = name.isEmpty ? "" : "\(name): "
    self.init(level: level, style: style, prefix: prefix, write: { terminal.offer($0) }, now: { .now })
  }

  init(
    level: Level, style: Style, prefix: String = "", write: @escaping @Sendable (String) -> Bool,
    now: @escaping @Sendable () -> ContinuousClock.Instant
  ) {
    minimum = Atomic(level.rawValue)
    self.style = style
    self.prefix = prefix
    self.write = write
    self.now = now
  }

  /// Changes the level from which on lines are written.
  public func setLevel(_ level: Level) { minimum.store(level.rawValue, ordering: .relaxed) }

  /// Writes a line, or drops it where nobody reads the lines: the log must never hold up what it tells of.
  ///
  /// A line with a kind is written at most once a minute; how many were held back is said by the next of its kind.
  /// Kinds are few and fixed, never made from what comes from outside.
  public func callAsFunction(_ level: Level, kind: StaticString? = nil, _ message: @autoclosure () -> String) {
    guard level.rawValue <= minimum.load(ordering: .relaxed) else { return }
    guard let kind else {
      put(level, message())
      return
    }
    guard let missed = pass(kind.description) else { return }
    put(level, missed == 0 ? message() : "\(message()) (and \(missed) more like it)")
  }

  /// Writes a line, and before it how many were not taken.
  private func put(_ level: Level, _ message: String) {
    let count = missed.load(ordering: .relaxed)
    if count > 0, write(line(.warning, "\(count) lines are missing here, since nobody read them")) {
      missed.subtract(count, ordering: .relaxed)
    }
    if !write(line(level, message)) { missed.add(1, ordering: .relaxed) }
  }

  /// Whether a line of a kind may pass now: the number held back before it, or nil when it is held back itself.
  private func pass(_ kind: String) -> Int? {
    let now = now()
    return held.withLock { held in
      if let before = held[kind], now - before.since < Self.hold {
        held[kind]?.count += 1
        return nil
      }
      let missed = held[kind]?.count ?? 0
      held[kind] = Held(since: now)
      return missed
    }
  }

  private func line(_ level: Level, _ message: String) -> String {
    let message = (prefix + message).cleanLine
    switch style {
    case .journal: return "<\(level.rawValue)>\(message)\n"
    case .plain: return "\(Self.time()) \(level.name): \(message)\n"
    case .terminal:
      let colour =
        switch level {
        case .error: "\u{1B}[31m"
        case .warning: "\u{1B}[33m"
        case .notice: "\u{1B}[1m"
        case .info: ""
        case .debug: "\u{1B}[2m"
        }
      // The erasure takes a progress line away; the next one is written below this line.
      return "\(ProgressLine.erase)\(colour)\(level.name):\(colour.isEmpty ? "" : "\u{1B}[0m") \(message)\n"
    }
  }

  private static func time() -> String {
    var seconds = Glibc.time(nil)
    var parts = unsafe tm()
    unsafe gmtime_r(&seconds, &parts)
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { buffer in
      guard let base = buffer.baseAddress else { return "" }
      let count = unsafe strftime(base, buffer.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
      return unsafe String(decoding: UnsafeRawBufferPointer(start: base, count: count), as: UTF8.self)
    }
  }

  /// Whether standard error goes to journald: systemd tells by `JOURNAL_STREAM` which device and inode that is.
  private static func isJournal() -> Bool {
    guard let stream = Environment["JOURNAL_STREAM"] else { return false }
    var status = stat()
    return unsafe fstat(STDERR_FILENO, &status) == 0 && stream == "\(status.st_dev):\(status.st_ino)"
  }
}
