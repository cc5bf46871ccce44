import Dispatch

/// A thread that reads a device, and the way from it to the task that consumes what it gives.
enum DeviceThread {
  /// Opens a device, reads it, and opens it again when it went away, until the task is cancelled.
  ///
  /// While the consumer does not keep up, some 80 s of samples are kept, then the oldest are dropped and counted.
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

  /// Does the work of a thread until it ends by itself or the task is cancelled, and delivers what it emits.
  ///
  /// While the consumer does not keep up, so many of the newest events are kept.
  nonisolated(nonsending)
    static func run<Event: Sendable>(
      _ name: String, keeping count: Int, _ deliver: nonisolated(nonsending) (Event) async -> Void,
      work: @escaping @Sendable (_ stop: Stop, _ emit: @escaping (Event) -> Void) -> Void
    ) async
  {
    let (events, event) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(count))
    let stop = Stop()
    DispatchQueue(label: "steps2mqtt.\(name)").async {
      BrokenPipes.block()
      work(stop) { event.yield($0) }
      event.finish()
    }
    await withTaskCancellationHandler {
      for await event in events where !Task.isCancelled { await deliver(event) }
    } onCancel: {
      stop.stop()
    }
  }
}
