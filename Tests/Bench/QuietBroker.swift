import Glibc
import Host

/// A mosquitto on a free loopback port that logs nothing and forgets everything; it ends with its owner.
final class QuietBroker {
  let port: UInt16
  private let process: ChildProcess

  /// Starts it, on a port where one is given, with further lines of configuration, and waits until it listens.
  init(in place: Place, port chosen: UInt16? = nil, _ options: String...) throws {
    guard let program = ChildProcess.find("mosquitto") else {
      throw Unmeasured("mosquitto is not installed: apt-get install mosquitto")
    }
    port = try chosen ?? LoopbackPort.free()
    let file = "\(place.path)/mosquitto-\(port).conf"
    let lines = ["listener \(port) 127.0.0.1", "allow_anonymous true", "persistence false", "log_type none"]
    // The broker counts what it received, and says so each second.
    try write((lines + ["sys_interval 1"] + options).map { $0 + "\n" }.joined(), to: file)
    process = try ChildProcess(path: program, arguments: ["-c", file], output: "\(place.path)/mosquitto.log")
    for _ in 0..<500 where !LoopbackPort.isListening(port) { usleep(10_000) }
    guard LoopbackPort.isListening(port) else { throw Unmeasured("mosquitto did not start within 5 s") }
  }

  deinit { process.end() }
}

/// Writes a text to a new file.
func write(_ text: String, to path: String) throws {
  let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
  guard file >= 0 else { throw Unmeasured("\(path) cannot be written") }
  defer { close(file) }
  let bytes = Array(text.utf8)
  guard unsafe Glibc.write(file, bytes, bytes.count) == bytes.count else {
    throw Unmeasured("\(path) cannot be written")
  }
}
