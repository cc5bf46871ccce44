import CSystemd
import Glibc

/// What a loop and its thread share; the thread keeps it until it has ended.
@safe final class LoopCore: @unchecked Sendable {
  private struct Sleeper {
    var number: UInt64
    var moment: ContinuousClock.Instant
    var latest: ContinuousClock.Instant
    var continuation: CheckedContinuation<Void, Never>
  }

  // All that follows is guarded by the lock.
  private var jobs: [() -> Void] = []
  private var sleepers: [Sleeper] = []
  /// Cancelled before they slept: cancelling may come first.
  private(set) var cancelled: Set<UInt64> = []
  private var lastNumber: UInt64 = 0
  private var isWaiting = false
  private var hasEnded = false

  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    unsafe lock.initialize(to: pthread_mutex_t())
    unsafe condition.initialize(to: pthread_cond_t())
    unsafe pthread_mutex_init(lock, nil)
    var attributes = pthread_condattr_t()
    unsafe pthread_condattr_init(&attributes)
    unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    unsafe pthread_cond_init(condition, &attributes)
    unsafe pthread_condattr_destroy(&attributes)
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(lock)
    unsafe condition.deallocate()
    unsafe lock.deallocate()
  }

  /// Starts the thread.
  func start() throws(HostError) {
    var thread = pthread_t()
    let retained = unsafe Unmanaged.passRetained(self)
    let status = unsafe pthread_create(
      &thread, nil,
      { raw in
        guard let raw = unsafe raw else { return nil }
        unsafe Unmanaged<LoopCore>.fromOpaque(raw).takeRetainedValue().run()
        return nil
      }, retained.toOpaque())
    guard status == 0 else {
      unsafe retained.release()
      throw HostError(code: status, "no thread for the agent: \(HostError.words(status))")
    }
    pthread_detach(thread)
  }

  /// Lets the thread end once nothing waits for it.
  func end() { locked { hasEnded = true } }

  /// Adds a job.
  func add(_ job: @escaping () -> Void) { locked { jobs.append(job) } }

  /// A number for a sleeper.
  func number() -> UInt64 {
    locked {
      lastNumber += 1
      return lastNumber
    }
  }

  /// Resumes a continuation when its moment has come, or when its number is cancelled.
  func wake(
    _ continuation: CheckedContinuation<Void, Never>, number: UInt64, at moment: ContinuousClock.Instant,
    tolerance: Duration
  ) {
    let isCancelled = locked {
      if cancelled.remove(number) != nil { return true }
      sleepers.append(
        Sleeper(number: number, moment: moment, latest: moment + tolerance, continuation: continuation))
      return false
    }
    if isCancelled { continuation.resume() }
  }

  /// Wakes a sleeper before its time.
  func cancel(_ number: UInt64) {
    let continuation = locked { () -> CheckedContinuation<Void, Never>? in
      guard let index = sleepers.firstIndex(where: { $0.number == number }) else {
        cancelled.insert(number)
        return nil
      }
      return sleepers.remove(at: index).continuation
    }
    continuation?.resume()
  }

  /// Forgets a number whose sleeper is gone: it may have been cancelled after it was woken.
  func forget(_ number: UInt64) { locked { _ = cancelled.remove(number) } }

  private func locked<Value>(_ body: () -> Value) -> Value {
    unsafe pthread_mutex_lock(lock)
    let value = body()
    let wakes = isWaiting
    isWaiting = false
    unsafe pthread_mutex_unlock(lock)
    if wakes { unsafe pthread_cond_signal(condition) }
    return value
  }

  private func run() {
    while let work = next() { for piece in work { piece() } }
  }

  /// Waits for work; nil at the end.
  private func next() -> [() -> Void]? {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    while true {
      let now = ContinuousClock.now
      // A thread that wakes late on a busy machine finds several due.
      let due = sleepers.filter { $0.moment <= now }.sorted { $0.moment < $1.moment }
      if !due.isEmpty {
        sleepers.removeAll { $0.moment <= now }
        return due.map { sleeper in { sleeper.continuation.resume() } }
      }
      if !jobs.isEmpty {
        defer { jobs.removeAll(keepingCapacity: true) }
        return jobs
      }
      if hasEnded { return nil }
      wait(until: sleepers.lazy.map(\.latest).min(), from: now)
    }
  }

  /// Lets the lock go until a moment or until something is added.
  private func wait(until moment: ContinuousClock.Instant?, from now: ContinuousClock.Instant) {
    isWaiting = true
    defer { isWaiting = false }
    guard let moment else {
      unsafe pthread_cond_wait(condition, lock)
      return
    }
    // An hour at most: nothing is so far away that the sum could overflow.
    let (seconds, attoseconds) = min(now.duration(to: moment), .seconds(3600)).components
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    let nanoseconds = Int64(time.tv_nsec) + attoseconds / 1_000_000_000 + 1
    time.tv_sec += Int(seconds + nanoseconds / 1_000_000_000)
    time.tv_nsec = Int(nanoseconds % 1_000_000_000)
    unsafe pthread_cond_timedwait(condition, lock, &time)
  }
}
