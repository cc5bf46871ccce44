/// One thread that runs the tasks which prefer it, and wakes them when their time has come.
///
/// Swift's own pool wakes three threads for a timer on Linux: Dispatch's manager sees it, wakes a worker, and that one
/// wakes another in case there is more. An agent that does a little five times a second spends most of its power on
/// that. Here the thread that waits for the time is the one that then does the work. It must not be blocked: what
/// waits for disk or network has its own thread.
public final class Loop: TaskExecutor {
  let core: LoopCore

  /// Starts the thread; throws when the system gives none.
  public init() throws(HostError) {
    core = LoopCore()
    try core.start()
  }

  deinit { core.end() }

  /// Runs a job of a task after those that wait already.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = unsafe asUnownedTaskExecutor()
    core.add { unsafe job.runSynchronously(on: executor) }
  }

  /// Waits until a moment, or at most the tolerance longer where the thread would have to wake for it alone.
  ///
  /// Throws when the task is cancelled, at once.
  public func sleep(
    until moment: ContinuousClock.Instant, tolerance: Duration = .zero
  ) async throws(CancellationError) {
    let number = core.number()
    await withTaskCancellationHandler {
      await withCheckedContinuation { core.wake($0, number: number, at: moment, tolerance: tolerance) }
    } onCancel: {
      core.cancel(number)
    }
    if Task.isCancelled {
      core.forget(number)
      throw CancellationError()
    }
  }
}

/// The continuous clock, whose sleepers are woken by a loop.
public struct LoopClock: Clock {
  private let loop: Loop

  /// Makes a clock of a loop.
  public init(_ loop: Loop) { self.loop = loop }

  /// This moment.
  public var now: ContinuousClock.Instant { .now }
  /// The shortest time between two moments.
  public var minimumResolution: Duration { ContinuousClock().minimumResolution }

  /// Waits until a moment; throws when the task is cancelled.
  public func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    try await loop.sleep(until: deadline, tolerance: tolerance ?? .zero)
  }
}
