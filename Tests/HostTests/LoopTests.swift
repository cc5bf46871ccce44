import Glibc
import Testing

@testable import Host

@Suite(.timeLimit(.minutes(2))) struct LoopTests {
  @Test func `runs an actor and the children of a task on its one thread`() async throws {
    let loop = try Loop()
    let threads = await withTaskExecutorPreference(loop) {
      await withTaskGroup(of: UInt.self) { group in
        let counter = Counter()
        for _ in 0..<50 { group.addTask { await counter.thread() } }
        for _ in 0..<50 { group.addTask { thread() } }
        var threads: Set<UInt> = []
        for await thread in group { threads.insert(thread) }
        return threads
      }
    }
    #expect(threads.count == 1)
    #expect(!threads.contains(thread()))
  }

  @Test func `wakes sleepers in the order of their moments, none too early`() async throws {
    let loop = try Loop()
    // Far enough away that all sleep before the first wakes, however busy the machine is.
    let start = ContinuousClock.now + .seconds(1)
    let order = await withTaskGroup(of: Int.self) { group in
      for wait in [60, 20, 40] {
        group.addTask(executorPreference: loop) {
          let moment = start + .milliseconds(wait)
          try? await loop.sleep(until: moment)
          return ContinuousClock.now >= moment ? wait : 0
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(order == [20, 40, 60])
  }

  @Test func `lets a patient sleeper wait for an impatient one`() async throws {
    let loop = try Loop()
    let start = ContinuousClock.now
    async let patient: Void = loop.sleep(until: start + .milliseconds(10), tolerance: .seconds(60))
    async let impatient: Void = loop.sleep(until: start + .milliseconds(40))
    try await patient
    #expect(ContinuousClock.now >= start + .milliseconds(40))
    try await impatient
  }

  @Test(arguments: [false, true])
  func `wakes whoever is cancelled at once`(beforehand: Bool) async throws {
    let loop = try Loop()
    let task = Task {
      if beforehand { while !Task.isCancelled { await Task.yield() } }
      try await LoopClock(loop).sleep(until: .now + .seconds(3600), tolerance: nil)
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `keeps nothing of whoever is cancelled between its waking and its return`() async throws {
    let loop = try Loop()
    // Far enough away that both sleep before; then both are woken together, and the first cancels the second.
    let moment = ContinuousClock.now + .seconds(1)
    let first = Task(executorPreference: loop) {
      let second = Task(executorPreference: loop) { try await loop.sleep(until: moment) }
      try await loop.sleep(until: moment)
      second.cancel()
      await #expect(throws: CancellationError.self) { try await second.value }
    }
    try await first.value
    #expect(loop.core.cancelled.isEmpty)
  }

  private actor Counter {
    func thread() -> UInt { LoopTests.thread() }
  }

  private static func thread() -> UInt { pthread_self() }
  private func thread() -> UInt { Self.thread() }
}
