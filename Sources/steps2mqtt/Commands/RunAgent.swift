import Host
import MQTT

/// `run`: the agent in the foreground, until it is told to end.
struct RunAgent {
  let settings: Settings
  let exitAtEnd: Bool
  /// Reads the configuration again, as it was read at the start.
  let reread: @Sendable () throws(SettingsError) -> Settings.Read

  func run() async throws -> ExitStatus {
    // Else it would wait for the end of what never begins.
    if exitAtEnd { try settings.sensor.tryRecording() }
    let log = Log(level: settings.logLevel)
    let signals = try Signals()
    let loop = try Loop()
    // Nothing runs elsewhere: once the runtime's own pool has a thread, Dispatch looks after it each second for ever.
    try await withTaskExecutorPreference(loop) { try await run(on: loop, signals, log) }
    return .done
  }

  private func run(on loop: Loop, _ signals: Signals, _ log: Log) async throws {
    let assembly: any Running =
      settings.isFleet
      ? try Fleet(settings, on: loop, log: log)
      : try await Assembly(settings, exitAtEnd: exitAtEnd, on: loop, log: log)
    // Read one after the other, apart from the signals: the end must not wait for a link that is being replaced.
    let (hangUps, hangUp) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await signal in signals.received {
          switch signal {
          case .terminate, .interrupt:
            ServiceManager.notify(.stopping)
            await assembly.stop()
          case .hangUp: hangUp.yield()
          }
        }
      }
      group.addTask { for await _ in hangUps { await reload(assembly, log) } }
      group.addTask { await Watchdog(running: assembly, clock: LoopClock(loop), log: log).run() }
      ServiceManager.notify(.ready)
      await assembly.run()
      group.cancelAll()
    }
  }

  /// Reads the configuration again; with one that has faults nothing changes.
  private func reload(_ assembly: any Running, _ log: Log) async {
    ServiceManager.notify(.reloading(monotonicMicroseconds: HostClock.monotonicMicroseconds()))
    defer { ServiceManager.notify(.ready) }
    do {
      let read = try reread()
      for warning in read.warnings { log(.warning, "configuration: \(warning)") }
      try await assembly.configure(read.settings)
      log(.notice, "configuration: read again")
    } catch let error as SettingsError {
      for fault in error.faults { log(.error, "configuration: \(fault)") }
      log(.error, "configuration: refused, the agent goes on with the one it has")
    } catch {
      log(.error, "configuration: refused, the agent goes on with the one it has: \(error)")
    }
  }
}
