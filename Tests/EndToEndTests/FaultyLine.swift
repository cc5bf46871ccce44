import BrokerTesting
import Foundation

/// The proxy of the broker lab between an agent and its broker: its faults are set at run time.
final class FaultyLine: Sendable {
  /// Where the proxy lies; `LABS` names the directory of the labs.
  static let program: String? = {
    let labs =
      ProcessInfo.processInfo.environment["LABS"]
      ?? URL(fileURLWithPath: #filePath).appending(path: "../../../../shared/labs").standardizedFileURL.path
    let path = labs + "/brokers/faultproxy.py"
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }()

  /// Where the agent connects to.
  let port: UInt16
  private let control: UInt16
  private let process: Child

  /// Starts a proxy before a broker.
  init(to target: UInt16) async throws {
    guard let program = Self.program else { throw Missing(description: "the lab's fault proxy is not here (set LABS)") }
    var (port, control, process) = try Self.start(program, target)
    try await wait("the proxy") {
      if TestBroker.isListening(port), TestBroker.isListening(control) { return true }
      // Somebody else took one of the ports that were free a moment ago.
      if !process.isRunning { (port, control, process) = try Self.start(program, target) }
      return nil
    }
    (self.port, self.control, self.process) = (port, control, process)
  }

  private static func start(_ program: String, _ target: UInt16) throws -> (UInt16, UInt16, Child) {
    let (port, control) = (try TestBroker.freePort(), try TestBroker.freePort())
    return (port, control, try Child("python3", [program, "\(port)", "\(target)", "\(control)"]))
  }

  /// Sets a fault in the proxy's words; `ok` ends it.
  func set(_ fault: String) async throws {
    guard let program = Self.program else { return }
    try await run("python3", [program, "ctl", "\(control)"] + fault.split(separator: " ").map(String.init))
  }
}
