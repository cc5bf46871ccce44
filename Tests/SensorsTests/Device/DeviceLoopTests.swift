import Motion
import Testing

@testable import Sensors

/// What an attempt to open a fake device meets, and what its reads then give.
private enum Attempt {
  case refused(SensorError)
  case opened(rate: Double, warnings: [String] = [], [Result<DeviceReading, SensorError>])
}

private struct FakeSession: DeviceSession {
  let description: SensorDescription
  let warnings: [String]
  var readings: [Result<DeviceReading, SensorError>]
  let world: World

  mutating func read() throws(SensorError) -> DeviceReading {
    guard !readings.isEmpty else {
      world.now += 1  // nothing comes, as from a device that is silent
      return DeviceReading()
    }
    world.now += 0.16
    return try readings.removeFirst().get()
  }
}

/// A virtual time in which a device is opened again and again.
private final class World {
  var now = 1_000.0
  var attempts: [Attempt]
  var waits: [Double] = []
  var events: [SensorEvent] = []
  var dropping = 0

  init(_ attempts: [Attempt]) { self.attempts = attempts }

  /// Runs until there are no more attempts.
  func run() -> [SensorEvent] {
    var loop = DeviceLoop(
      open: { () throws(SensorError) in
        switch self.attempts.removeFirst() {
        case .refused(let error): throw error
        case .opened(let rate, let warnings, let readings):
          return FakeSession(
            description: SensorDescription(kind: .iio, name: "chip", rate: rate), warnings: warnings,
            readings: readings, world: self)
        }
      },
      wait: { seconds in
        if seconds > 0 { self.waits.append(seconds) }
        self.now += seconds
        return !self.attempts.isEmpty || seconds == 0 && self.events.last != .ended
      }, now: { self.now },
      emit: { event in
        self.events.append(event)
        return self.dropping
      })
    loop.run()
    return events
  }
}

struct DeviceLoopTests {
  private let chip = SensorDescription(kind: .iio, name: "chip", rate: 50)
  private let gone = SensorError(.notFound, "gone")
  private let reading = DeviceReading(samples: [sample(1), sample(1.02)])

  @Test func `opens, reads, loses, and finds again with the first samples`() {
    let events = World([
      .opened(rate: 50, [.success(reading), .failure(gone)]), .refused(gone), .refused(gone),
      .opened(rate: 25, [.failure(gone)]), .opened(rate: 25, [.success(reading), .failure(gone)]),
    ]).run()
    let back = SensorDescription(kind: .iio, name: "chip", rate: 25)
    #expect(
      events == [
        .opened(chip), .samples(reading.samples), .lost(gone), .found(back), .samples(reading.samples), .lost(gone),
      ])
  }

  @Test func `says a loss once, and again when its kind changes`() {
    let denied = SensorError(.notPermitted, "no rights")
    let events = World([.refused(gone), .refused(gone), .refused(denied), .refused(denied), .refused(gone)]).run()
    #expect(events == [.lost(gone), .lost(denied), .lost(gone)])
  }

  @Test func `waits longer from attempt to attempt, and short again after samples`() {
    let world = World(
      Array(repeating: .refused(gone), count: 7) + [
        .opened(rate: 50, [.success(reading), .failure(gone)]), .refused(gone),
      ])
    _ = world.run()
    #expect(world.waits == [0.5, 1, 2, 4, 8, 8, 8, 0.5, 1])
  }

  @Test func `takes a device for lost that gives nothing for five seconds`() {
    let events = World([.opened(rate: 50, [.success(reading)]), .refused(gone)]).run()
    #expect(events.dropFirst(2).first == .lost(SensorError(.silent, "chip: no sample for 5 s")))
  }

  @Test func `says each warning once, however often the device is opened`() {
    let events = World([
      .opened(rate: 50, warnings: ["polled"], [.failure(gone)]),
      .opened(rate: 50, warnings: ["polled"], [.failure(gone)]),
    ]).run()
    #expect(events.filter { $0 == .warning("polled") }.count == 1)
  }

  @Test func `tells its counts when they have grown, at most once a second`() {
    let bad = DeviceReading(samples: [sample(1)], missing: 2, failed: 1)
    let events = World([.opened(rate: 50, Array(repeating: .success(bad), count: 13) + [.failure(gone)])]).run()
    let faults = events.compactMap { event in
      if case .faults(let faults) = event { [faults.missing, faults.failed] } else { nil as [Int]? }
    }
    #expect(faults == [[2, 1], [16, 8]])
  }

  @Test func `counts what the consumer was too late for`() {
    let world = World([.opened(rate: 50, Array(repeating: .success(reading), count: 9) + [.failure(gone)])])
    world.dropping = 2
    let counts = world.run().compactMap { event in
      if case .faults(let faults) = event { faults.overflowed } else { nil as Int? }
    }
    #expect(counts.count == 2)
    #expect(counts == counts.sorted() && counts[0] > 0)
  }
}
