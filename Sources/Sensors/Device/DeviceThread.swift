import Dispatch

/// A thread that reads a device, and the way from it to the task that consumes what it gives.
///
/// While the consumer does not keep up, some 80 s of samples are kept, then the oldest are dropped and counted.
enum DeviceThread {
  /// Opens a device, reads it, and opens it again when it went away, until the task is cancelled.
  nonisolated(nonsending)
    static func run(
      _ name: String, _ deliver: nonisolated(nonsending) (SensorEvent) async -> Void,
      open: @escaping @Sendable (Stop) throws(SensorError) -> any DeviceSession
    ) async
  {
    let mailbox = Mailbox()
    let stop = Stop()
    DispatchQueue(label: "steps2mqtt.\(name)").async {
      BrokenPipes.block()
      var loop = DeviceLoop(
        open: { () throws(SensorError) in try open(stop) }, wait: { stop.wait($0) }, now: BootTime.now,
        emit: { mailbox.put($0) })
      loop.run()
      mailbox.finish()
    }
    await withTaskCancellationHandler {
      while let events = await mailbox.take() {
        for event in events where !Task.isCancelled { await deliver(event) }
      }
    } onCancel: {
      stop.stop()
    }
  }
}
