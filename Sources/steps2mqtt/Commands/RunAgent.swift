import Host

/// `run`: the agent in the foreground, until it is told to end.
struct RunAgent {
  let settings: Settings
  let exitAtEnd: Bool

  func run() async throws -> ExitStatus {
    let log = Log(level: settings.logLevel)
    let signals = try Signals()
    let assembly = try await Assembly(settings, exitAtEnd: exitAtEnd, log: log)
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await signal in signals.received {
          switch signal {
          case .terminate, .interrupt: await assembly.stop()
          case .hangUp: log(.notice, "SIGHUP: restart to read the configuration again")
          }
        }
      }
      await assembly.run()
      group.cancelAll()
    }
    return .done
  }
}
