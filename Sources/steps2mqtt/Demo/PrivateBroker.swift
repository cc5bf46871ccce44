import Host
import Synchronization

/// A mosquitto of one's own on a free loopback port, which is started again a while after somebody has ended it.
final class PrivateBroker: Sendable {
  /// How long it stays away.
  static let outage = Duration.seconds(10)

  /// Where it listens.
  let port: UInt16
  /// Starts a process of it; keeps the directory.
  private let start: @Sendable () throws(HostError) -> ChildProcess
  /// Nil once it is to be over.
  private let process: Mutex<ChildProcess?>

  /// Its process.
  var identifier: Int32 { process.withLock { $0?.identifier ?? 0 } }

  /// Starts it and waits until it listens.
  init(in directory: TemporaryDirectory) async throws(HostError) {
    guard let program = ChildProcess.find("mosquitto") else {
      throw HostError("mosquitto is not installed: apt-get install mosquitto")
    }
    port = try LoopbackPort.free()
    let file = try directory.write(
      "mosquitto.conf", "listener \(port) 127.0.0.1\nallow_anonymous true\npersistence false\n")
    let start = { @Sendable () throws(HostError) in
      try ChildProcess(path: program, arguments: ["-c", file], output: "\(directory.path)/mosquitto.log")
    }
    self.start = start
    process = Mutex(try start())
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

  /// Looks after it until the task is cancelled: what was ended comes back, once it was away long enough to be missed.
  func lookAfter(_ told: (String) -> Void) async {
    while (try? await Task.sleep(for: .milliseconds(200))) != nil {
      guard process.withLock({ $0?.hasEnded == true }) else { continue }
      told("the broker has ended; it is back in \(Self.outage.components.seconds) s")
      guard (try? await Task.sleep(for: Self.outage)) != nil else { return }
      do throws(HostError) {
        let next = try start()
        let isWanted = process.withLock { process in
          guard process != nil else { return false }
          process = next
          return true
        }
        if !isWanted { next.end() }
      } catch { told("the broker cannot be started again: \(error.message)") }
    }
  }

  /// Ends it, if it has not ended before.
  func end() {
    process.withLock { process in
      process?.end()
      process = nil
    }
  }
}
