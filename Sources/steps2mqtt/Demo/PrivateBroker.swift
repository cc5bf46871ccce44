import Host

/// A mosquitto of one's own on a free loopback port.
struct PrivateBroker: Sendable {
  /// Where it listens.
  let port: UInt16
  /// The command that starts it again.
  let command: String
  private let directory: TemporaryDirectory
  private let process: ChildProcess

  /// Its process.
  var identifier: Int32 { process.identifier }

  /// Starts it and waits until it listens.
  init(in directory: TemporaryDirectory) async throws(HostError) {
    guard let program = ChildProcess.find("mosquitto") else {
      throw HostError("mosquitto is not installed: apt-get install mosquitto")
    }
    self.directory = directory
    port = try LoopbackPort.free()
    let file = try directory.write(
      "mosquitto.conf", "listener \(port) 127.0.0.1\nallow_anonymous true\npersistence false\n")
    command = "\(program) -c \(file)"
    process = try ChildProcess(path: program, arguments: ["-c", file], output: "\(directory.path)/mosquitto.log")
    // Not one look more than needed: each is a connection, and a broker whose queue of them is full drops the agent's.
    var isListening = false
    for _ in 0..<500 {
      isListening = LoopbackPort.isListening(port)
      if isListening { break }
      // A cancelled sleep shows in the next look.
      try? await Task.sleep(for: .milliseconds(10))
    }
    guard isListening else {
      throw HostError("mosquitto did not start within 5 s: see \(directory.path)/mosquitto.log")
    }
  }

  /// Ends it, if it has not ended before.
  func end() { process.end() }
}
