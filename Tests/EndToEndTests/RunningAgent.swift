import BrokerTesting
import Foundation
import Glibc

/// `steps2mqtt run` as a process of its own; it ends with its owner.
final class RunningAgent: Sendable {
  let id: String
  private let process: Child
  private let log: URL

  /// Starts an agent on a journal of its own, or on one that another has left.
  ///
  /// With a configuration file the brokers are left to that. Commands that it is run under come before its own.
  init(
    id: String = "walker", journal: URL, port: UInt16 = 0, recording: URL? = nil, speed: String = "max",
    _ settings: String..., more: [String] = [], config: URL? = nil, exitAtEnd: Bool = false, under: [String] = []
  ) throws {
    self.id = id
    log = FileManager.default.temporaryDirectory.appending(path: "steps2mqtt-\(id)-\(UUID().uuidString).log")
    var all = [
      "device.id=\(id)", "mqtt.replay_delay_s=0", "journal.directory=\(journal.path)", "log.level=debug",
    ]
    if config == nil { all.append("mqtt.brokers=mqtt://127.0.0.1:\(port)") }
    if let recording {
      all += [
        "sensor.source=recording", "sensor.recording.path=\(recording.path)", "sensor.recording.speed=\(speed)",
      ]
    } else {
      all.append("sensor.source=synthetic")
    }
    let words =
      under + [Product.path, "run"] + (exitAtEnd ? ["--exit-at-end"] : [])
      + (config.map { ["--config", $0.path] } ?? []) + (all + settings + more).flatMap { ["--set", $0] }
    process = try Child(words[0], Array(words[1...]), output: log.path)
  }

  deinit {
    process.end(SIGKILL)
    try? FileManager.default.removeItem(at: log)
  }

  /// What it logged.
  var logText: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

  /// Whether it has not ended yet.
  var isRunning: Bool { process.isRunning }

  /// Its process id.
  var pid: pid_t { process.pid }

  /// Holds it while something is done that it must not be quicker than.
  func held<Value>(_ work: () async throws -> Value) async throws -> Value {
    process.signal(SIGSTOP)
    defer { process.signal(SIGCONT) }
    return try await work()
  }

  /// Ends it as a power cut would.
  func kill() { process.end(SIGKILL) }

  /// Has it read its configuration again.
  func hangUp() { process.signal(SIGHUP) }

  /// Asks it to end, and returns its status.
  func stop() async throws -> Int32 {
    process.signal(SIGTERM)
    return try await waitForEnd()
  }

  /// Waits until it has ended by itself, and returns its status.
  func waitForEnd() async throws -> Int32 { try await apart { [process] in process.wait() } }
}
