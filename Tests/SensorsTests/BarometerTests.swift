import Glibc
import Motion
import Testing

@testable import Sensors

/// A barometer on a clock of its own, that misbehaves as it is told.
private final class FakeBarometer {
  var now = 100.0
  var pressure = 101_325.0
  var failure: CInt?
  var openings = 0
  var opens: (Int) throws(SensorError) -> Bool = { _ in true }
  /// What is done at a time, once.
  var plan: [(time: Double, act: (FakeBarometer) -> Void)] = []
  var events: [(time: Double, event: BarometerEvent)] = []

  func run(until end: Double) {
    let loop = BarometerLoop(
      open: { () throws(SensorError) in
        self.openings += 1
        guard try self.opens(self.openings) else { return nil }
        return OpenBarometer(name: "bmp280") { () throws(IIOFailure) in
          if let failure = self.failure { throw IIOFailure(Int(failure), "read the pressure") }
          return self.pressure
        }
      },
      wait: { seconds in
        self.now += max(0, seconds)
        while let next = self.plan.first, next.time <= self.now {
          self.plan.removeFirst()
          next.act(self)
        }
        return self.now < end
      }, now: { self.now }, emit: { self.events.append((self.now, $0)) })
    loop.run()
  }

  var readings: [PressureSample] {
    events.flatMap { event -> [PressureSample] in
      if case .readings(let readings) = event.event { readings } else { [] }
    }
  }
  var losses: [SensorError] {
    events.compactMap { event -> SensorError? in
      if case .lost(let error) = event.event { error } else { nil }
    }
  }
  var openedAt: [Double] {
    events.compactMap { event -> Double? in
      if case .opened = event.event { event.time } else { nil }
    }
  }
}

struct BarometerTests {
  private let fake = FakeBarometer()

  @Test func `reads once a second and hands on four readings at a time`() {
    fake.run(until: 112)
    #expect(fake.openedAt == [100])
    #expect(fake.readings.map(\.time) == (100..<112).map { Double($0) })
    #expect(fake.readings.allSatisfy { $0.pressure == 101_325 })
    #expect(fake.events.count == 4)
  }

  @Test func `none that nobody asked for is the end of it`() {
    fake.opens = { _ in false }
    fake.run(until: 200)
    #expect(fake.events.map(\.event) == [.absent])
    #expect(fake.openings == 1)
  }

  @Test func `bears a few failures in a row`() {
    fake.plan = [(105, { $0.failure = EIO }), (108, { $0.failure = nil })]
    fake.run(until: 120)
    #expect(fake.losses == [])
    #expect(fake.openings == 1)
    #expect(fake.readings.count >= 12)
  }

  @Test(
    arguments: [
      (EREMOTEIO, .inputOutput, 5), (ENODEV, .notFound, 1), (EACCES, .notPermitted, 5),
    ] as [(CInt, SensorError.Code, Double)])
  func `says once that it is lost, and finds it again`(number: CInt, code: SensorError.Code, within: Double) {
    fake.plan = [(110, { $0.failure = number }), (150, { $0.failure = nil })]
    fake.run(until: 200)
    #expect(fake.losses.map(\.code) == [code])
    #expect(fake.openedAt.count == 2)
    #expect(fake.openedAt[1] >= 150 && fake.openedAt[1] < 181)
    #expect(
      abs((fake.events.first { $0.event != .opened(name: "bmp280") && !isReading($0.event) }?.time ?? 0) - 110)
        <= within)
  }

  private func isReading(_ event: BarometerEvent) -> Bool {
    if case .readings = event { true } else { false }
  }

  @Test func `a wrong scale is no pressure`() {
    fake.pressure = 1013
    fake.run(until: 120)
    #expect(fake.losses == [SensorError(.invalid, "bmp280: gives 1013.0 Pa; the driver's scale is wrong")])
    #expect(fake.readings == [])
  }

  @Test func `one that cannot be opened yet is looked for at growing intervals`() {
    fake.opens = { attempt throws(SensorError) in
      guard attempt > 4 else { throw SensorError(.notFound, "not there") }
      return true
    }
    fake.run(until: 130)
    #expect(fake.losses.count == 1)
    #expect(fake.openedAt == [115])
  }
}
