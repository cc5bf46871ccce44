import CSystemd

/// What the process tells the service manager (systemd's notification protocol); nothing where there is none.
public enum ServiceManager {
  /// A thing to tell.
  public enum State: Sendable, Equatable {
    /// The service is up.
    case ready
    /// The configuration is read again; `ready` follows. The time is `CLOCK_MONOTONIC` in µs, as systemd asks for.
    case reloading(monotonicMicroseconds: UInt64)
    /// The service is about to end.
    case stopping
    /// The service makes progress.
    case watchdog

    var text: String {
      switch self {
      case .ready: "READY=1"
      case .reloading(let time): "RELOADING=1\nMONOTONIC_USEC=\(time)"
      case .stopping: "STOPPING=1"
      case .watchdog: "WATCHDOG=1"
      }
    }
  }

  /// Tells some things at once; says whether a service manager took them.
  @discardableResult
  public static func notify(_ states: State...) -> Bool {
    let text = states.map(\.text).joined(separator: "\n")
    return unsafe sd_notify(0, text) > 0
  }

  /// How often `watchdog` must be told at the least; nil where no watchdog waits for this process.
  ///
  /// Half of what systemd waits, as it recommends.
  public static func watchdogInterval() -> Duration? {
    var microseconds: UInt64 = 0
    guard unsafe sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
    return .microseconds(Int64(clamping: microseconds / 2))
  }
}

extension String {
  /// The text in one line, with nothing that could disturb a terminal or a protocol of lines.
  var cleanLine: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map {
          switch $0.properties.generalCategory {
          case .control, .lineSeparator, .paragraphSeparator, .format: " "
          default: $0
          }
        }))
  }
}
