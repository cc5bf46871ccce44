import Host

/// Tells the service manager that the process works, while all that it runs makes progress.
struct Watchdog {
  let running: any Running
  let clock: LoopClock
  let log: Log

  /// Feeds it until the task is cancelled; returns at once where no watchdog waits for this process.
  func run() async {
    guard let interval = ServiceManager.watchdogInterval() else { return }
    // A cancelled sleep ends the loop.
    while (try? await clock.sleep(for: interval, tolerance: interval / 4)) != nil {
      if await running.isAlive() {
        ServiceManager.notify(.watchdog)
      } else {
        log(.warning, "a sensor is open but silent; the watchdog is not fed")
      }
    }
  }
}
