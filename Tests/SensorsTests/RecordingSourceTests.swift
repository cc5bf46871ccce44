import Motion
import Testing

@testable import Sensors

/// A recording of so many seconds at a rate, its times beginning at 100 s.
func recording(seconds: Int, rate: Int) throws -> TemporaryFile {
  let lines = (0..<seconds * rate).map { "\(100 + Double($0) / Double(rate)),0,0,1\n" }
  return try TemporaryFile("t,x,y,z\n" + lines.joined())
}

final class RecordingSourceTests {
  let clock = VirtualClock()
  /// The recordings of a test, kept until it ends.
  private var files: [TemporaryFile] = []

  func source(
    _ file: TemporaryFile, speed: PlaybackSpeed = .times(1), loop: Bool = false
  ) -> RecordingSource<VirtualClock> {
    files.append(file)
    return RecordingSource(.init(path: file.path, speed: speed, loop: loop), clock: clock, bootTime: { 5_000 })
  }

  @Test func `dates samples by the boot time at the start and what was recorded`() async throws {
    let delivered = try await collect(source(recording(seconds: 2, rate: 50)), on: clock)
    #expect(delivered.samples.count == 100)
    for (index, time) in delivered.times.enumerated() {
      #expect(abs(time - (5_000 + Double(index) / 50)) < 1e-9)
    }
  }

  @Test func `says what it is, and when it ends`() async throws {
    let file = try recording(seconds: 1, rate: 50)
    let delivered = try await collect(source(file), on: clock)
    guard case .opened(let description) = delivered.events.first else {
      Issue.record("the first event is not opened")
      return
    }
    #expect(description.kind == .recording && description.name == file.path && description.pace == .boot)
    #expect(abs(try #require(description.rate) - 50) < 0.01)
    #expect(delivered.events.dropFirst() == [.ended])
  }

  @Test(arguments: [10, 25, 50, 100, 200])
  func `comes at most 0.2 s late in at most six wake-ups a second, and never early`(rate: Int) async throws {
    let delivered = try await collect(source(recording(seconds: 20, rate: rate)), on: clock)
    #expect(clock.woke.count <= 120)
    for (at, samples) in delivered.chunks {
      for sample in samples {
        let late = at - (sample.time - 5_000)
        #expect(late > -1e-6 && late <= 0.2)
      }
    }
  }

  @Test(arguments: [0.5, 2, 10, 100])
  func `plays so many times as fast in at most ten wake-ups a second`(factor: Double) async throws {
    let delivered = try await collect(
      source(recording(seconds: 100, rate: 50), speed: .times(factor)), on: clock)
    #expect(abs(clock.seconds - 99.98 / factor) < 0.11)
    #expect(Double(clock.woke.count) <= 10 * clock.seconds + 1)
    #expect(abs(try #require(delivered.times.last) - 5_099.98) < 1e-6)
    guard case .opened(let description) = delivered.events.first else { return }
    #expect(description.pace == .samples)
  }

  @Test func `never waits at its highest speed, yet keeps its chunks`() async throws {
    let delivered = try await collect(source(recording(seconds: 60, rate: 50), speed: .max), on: clock)
    #expect(clock.woke == [])
    #expect(delivered.samples.count == 3_000)
    #expect(delivered.chunks.allSatisfy { $0.samples.count <= 10 })
  }

  @Test func `drops nothing for a slow consumer and catches up without waiting`() async throws {
    let delivered = try await collect(
      source(recording(seconds: 10, rate: 50)), on: clock, busyFor: .milliseconds(400))
    #expect(delivered.samples.count == 500)
    #expect(clock.woke.count == 1)
  }

  @Test func `goes on in time over the seam of a loop`() async throws {
    let delivered = try await collect(
      source(recording(seconds: 2, rate: 50), loop: true), on: clock, atMost: 450)
    #expect(delivered.samples.count >= 450)
    for (index, time) in delivered.times.enumerated() {
      #expect(abs(time - (5_000 + Double(index) / 50)) < 1e-6)
    }
  }

  @Test func `loops a single sample fifty times a second`() async throws {
    let delivered = try await collect(source(TemporaryFile("7,0,0,1\n"), loop: true), on: clock, atMost: 50)
    #expect(abs(clock.seconds - 1) < 0.25)
    #expect(delivered.samples.count < 70)
  }

  @Test func `hands times that repeat, go back or jump on as they are`() async throws {
    let file = try TemporaryFile("10,0,0,1\n10,0,0,1\n9.9,0,0,1\n3700,0,0,1\n20,0,0,1\n")
    let delivered = try await collect(source(file), on: clock)
    #expect(delivered.times.map { ($0 - 4_990) * 10 }.map { $0.rounded() / 10 } == [10, 10, 9.9, 3700, 20])
    #expect(abs(clock.seconds - 3_690) < 1e-3)
  }

  @Test func `survives times that no clock could have`() async throws {
    let file = try TemporaryFile("-99999999999,0,0,1\n99999999999,0,0,1\n0,0,0,1\n")
    let delivered = try await collect(source(file), on: clock)
    #expect(delivered.samples.count == 3)
  }

  @Test func `reports malformed lines before the samples behind them`() async throws {
    let file = try TemporaryFile("t,x,y,z\n0,0,0,1\noops\n0.02,0,0,1\n")
    let delivered = try await collect(source(file), on: clock)
    guard delivered.events.count == 3, case .faults(let faults) = delivered.events[1] else {
      Issue.record("no faults among \(delivered.events)")
      return
    }
    #expect(faults.malformed.count == 1)
    #expect(faults.malformed.first.first?.text == "oops")
  }

  @Test func `refuses a recording without a sample`() async throws {
    let file = try TemporaryFile("t,x,y,z\nnothing\n")
    await #expect(throws: SensorError.self) { try await collect(source(file), on: clock) }
  }

  @Test func `stops without an error when cancelled`() async throws {
    let delivered = try await collect(source(recording(seconds: 60, rate: 50)), on: clock, atMost: 100)
    #expect(delivered.samples.count == 100)
    #expect(!delivered.events.contains(.ended))
  }
}
