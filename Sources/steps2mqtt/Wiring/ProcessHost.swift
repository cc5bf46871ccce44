import Agent
import Host

/// Fits the log and the process's own figures to the agent.
struct ProcessHost: HostPort {
  let writer: Log

  func log(_ level: LogLevel, _ message: String) {
    switch level {
    case .debug: writer(.debug, message)
    case .info: writer(.info, message)
    case .warning: writer(.warning, message)
    case .error: writer(.error, message)
    }
  }

  func residentBytes() -> Int? {
    let bytes = ProcessUsage.read().residentBytes
    return bytes > 0 ? bytes : nil
  }
}
