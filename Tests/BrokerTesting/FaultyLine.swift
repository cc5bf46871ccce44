internal import Foundation

/// The proxy of the broker lab before a broker: its faults are set at run time.
public final class FaultyLine: Sendable {
  /// Where the proxy lies; `LABS` names the directory of the labs.
  public static let program: String? = {
    let labs =
      ProcessInfo.processInfo.environment["LABS"]
      ?? URL(fileURLWithPath: #filePath).appending(path: "../../../../shared/labs").standardizedFileURL.path
    let path = labs + "/brokers/faultproxy.py"
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }()

  /// Where clients connect to.
  public let port: UInt16
  private let program: String
  private let control: UInt16
  private let process: Child

  /// Starts a proxy before a broker.
  public init(to target: UInt16) async throws {
    guard let program = Self.program else {
      throw TestBroker.Failure(description: "the lab's fault proxy is not here (set LABS)")
    }
    var (port, control, process) = try Self.start(program, target)
    for _ in 0..<1500 {
      if TestBroker.isListening(port), TestBroker.isListening(control) {
        (self.program, self.port, self.control, self.process) = (program, port, control, process)
        return
      }
      // Somebody else took one of the ports that were free a moment ago.
      if !process.isRunning { (port, control, process) = try Self.start(program, target) }
      try await Task.sleep(for: .milliseconds(20))
    }
    throw TestBroker.Failure(description: "the fault proxy does not listen at \(port) and \(control)")
  }

  private static func start(_ program: String, _ target: UInt16) throws -> (UInt16, UInt16, Child) {
    let (port, control) = (try TestBroker.freePort(), try TestBroker.freePort())
    return (port, control, try Child("python3", [program, "\(port)", "\(target)", "\(control)"]))
  }

  /// Sets a fault in the proxy's words; `ok` ends it.
  public func set(_ fault: String) async throws {
    try await run("python3", [program, "ctl", "\(control)"] + fault.split(separator: " ").map(String.init))
  }
}
