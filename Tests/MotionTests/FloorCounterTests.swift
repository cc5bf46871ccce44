import SeededRandom
import Testing

@testable import Motion

/// A stretch of a way: seconds, the height gained in them in m, and the steps a second.
struct Leg: Sendable {
  var seconds: Double
  var climb = 0.0
  var cadence = 0.0

  static let stand = Leg(seconds: 40)
  static let walk = Leg(seconds: 40, cadence: 1.8)
  /// Stairs, at 0.28 m/s and 1.65 steps/s unless told otherwise (17 cm a step).
  static func stairs(_ climb: Double, speed: Double = 0.28, cadence: Double = 1.65) -> Leg {
    Leg(seconds: climb.magnitude / speed, climb: climb, cadence: cadence)
  }
}

/// What is wrong with the air and with its measurement.
struct Air: Sendable {
  /// The sensor's noise in Pa, rms: an LPS22HB has 0.75, a BMP280 1.3 at its finest and 3.3 at its coarsest setting
  /// (their data sheets).
  var noise: Double
  /// The weather, in hPa an hour.
  var drift = 0.0
  /// Gusts, in Pa rms, that last about three seconds.
  var gusts = 0.0
  /// Doors: when they open, in s, and how the pressure differs until eight seconds later, fading within twenty more.
  var doors: [(time: Double, pascals: Double)] = []
}

/// The floors that are counted on a way, with its steps credited as late as the engine does.
private func floors(_ legs: [Leg], _ air: Air, seed: UInt64) -> [Int] {
  var generator = SplitMix(seed: seed)
  var counter = FloorCounter()
  var counts = [0, 0]
  var credits: [(known: Double, time: Double)] = []
  var begin = 0.0
  for leg in legs {
    if leg.cadence > 0 {
      for (index, time) in stride(from: begin + 0.3, to: begin + leg.seconds, by: 1 / leg.cadence).enumerated() {
        credits.append((index < 6 ? max(time + 0.9, begin + 9) : time + 0.9, time))
      }
    }
    begin += leg.seconds
  }
  credits.sort { $0.known < $1.known }
  func height(_ time: Double) -> Double {
    var (begin, height) = (0.0, 0.0)
    for leg in legs {
      if time < begin + leg.seconds { return height + leg.climb * (time - begin) / leg.seconds }
      begin += leg.seconds
      height += leg.climb
    }
    return height
  }
  let note = { (floor: Floor) in counts[floor.direction == .ascended ? 0 : 1] += 1 }
  var credited = 0
  var gust = 0.0
  var time = Double.random(in: 0..<1, using: &generator)
  while time < begin {
    while credited < credits.count, credits[credited].known <= time {
      counter.take(Step(time: 1000 + credits[credited].time, duration: 0.5, length: 0.7, cadence: 2))
      credited += 1
    }
    gust += -gust / 3 + air.gusts * (2.0 / 3).squareRoot() * generator.normal()
    // 8.327 cm of air weigh a pascal at 15 °C and 1013.25 hPa.
    var pressure = 101_325 - height(time) / 0.08327 + air.drift * time / 36 + air.noise * generator.normal() + gust
    for door in air.doors where time >= door.time {
      pressure += door.pascals * min(1, max(0, 1 - (time - door.time - 8) / 20))
    }
    counter.take(PressureSample(time: 1000 + time, pressure: Float(pressure)), note)
    time += Double.random(in: 0.9...1.1, using: &generator)
  }
  counter.finish(note)
  return counts
}

struct FloorCounterTests {
  private static let landing = Leg(seconds: 3, cadence: 1.5)

  @Test(
    arguments: [
      ("a storey of 2.8 m", [.walk, .stairs(2.8), .walk], [1, 0]),
      ("a storey of 3.2 m, from rest to rest", [.stairs(3.2)], [1, 0]),
      ("a storey down", [.walk, .stairs(-3), .walk], [0, 1]),
      ("half a storey", [.walk, .stairs(1.5), .walk], [0, 0]),
      (
        "five storeys with landings",
        [.walk] + (0..<5).flatMap { _ in [.stairs(1.5), landing, .stairs(1.5), landing] } + [.walk], [5, 0]
      ),
      ("28 m in one go", [.walk, .stairs(28), .walk], [9, 0]),
      (
        "up two, down one, up one, down two",
        [.walk, .stairs(6), .walk, .stairs(-3), .walk, .stairs(3), .walk, .stairs(-6), .walk], [3, 3]
      ),
      ("slowly, at 48 steps a minute", [.walk, .stairs(3, speed: 0.13, cadence: 0.8), .walk], [1, 0]),
      ("two stairs at once", [.walk, .stairs(6.5, speed: 0.55, cadence: 1.6), .walk], [2, 0]),
      ("a hill of 6 %", [Leg(seconds: 400, climb: 30, cadence: 1.8)], [9, 0]),
      ("a lift, after a wait", [.walk, .stand, Leg(seconds: 20, climb: 30), .stand, .walk], [0, 0]),
      ("a lift that is just there", [.walk, Leg(seconds: 20, climb: 30), .walk], [0, 0]),
      ("a slow lift", [.walk, Leg(seconds: 20, climb: 12), .walk], [0, 0]),
      ("a lift in which someone paces", [.walk, Leg(seconds: 30, climb: 36, cadence: 1.2), .walk], [0, 0]),
      ("a road up a mountain", [.walk, Leg(seconds: 600, climb: 500), .walk], [0, 0]),
      ("the aisle of an aeroplane whose cabin sinks", [Leg(seconds: 120, climb: -240, cadence: 1.6)], [0, 0]),
    ] as [(String, [Leg], [Int])], [0.75, 1.3, 3.3])
  func `counts what is climbed on foot`(way: (name: String, legs: [Leg], floors: [Int]), noise: Double) {
    for seed in 1...5 {
      let counted = floors([.stand] + way.legs + [.stand], Air(noise: noise), seed: UInt64(seed))
      #expect(counted == way.floors, "\(way.name), seed \(seed)")
    }
  }

  private static let hour = [Leg(seconds: 3600, cadence: 1.8)]
  private static let errands = (0..<60).flatMap { _ in [Leg(seconds: 30, cadence: 1.8), Leg(seconds: 30)] }

  @Test(
    arguments: [
      ("a front that leaves", hour, Air(noise: 1.3, drift: 4)),
      ("a front that comes", hour, Air(noise: 1.3, drift: -4)),
      ("a coarse sensor in a front", hour, Air(noise: 3.3, drift: 4)),
      ("stop and go", errands, Air(noise: 3.3, drift: 3)), ("gusts of 5 Pa", hour, Air(noise: 0.75, gusts: 5)),
      (
        "doors of 12 Pa", [Leg(seconds: 400, cadence: 1.8)],
        Air(noise: 1.3, doors: [(60, 12), (130, -12), (200, 12), (270, -12)])
      ),
    ] as [(String, [Leg], Air)])
  func `counts nothing on the level`(way: (name: String, legs: [Leg], air: Air)) {
    for seed in 1...5 {
      #expect(floors(way.legs, way.air, seed: UInt64(seed)) == [0, 0], "\(way.name), seed \(seed)")
    }
  }

  @Test func `without steps there are no floors, and without readings there are none either`() {
    var counter = FloorCounter()
    var count = 0
    for second in 0..<200 {
      counter.take(PressureSample(time: Double(second), pressure: 101_325 - Float(second) * 3)) { _ in count += 1 }
    }
    counter.finish { _ in count += 1 }
    for second in 0..<200 { counter.take(Step(time: Double(second), duration: 0.5, length: 0.7, cadence: 2)) }
    counter.finish { _ in count += 1 }
    #expect(count == 0)
  }

  @Test func `passes over what is no pressure, and begins anew after a hole or a clock set back`() {
    let jumps: [(time: Double, pressure: Float)] = [
      (0, 101_325), (1, .nan), (2, -5), (3, 1013), (4, 101_325), (200, 90_000), (201, 90_000), (5, 101_325),
      (.infinity, 101_325), (6, 101_325), (6.5, 101_325), (5.9, 101_325),
    ]
    var counter = FloorCounter()
    var count = 0
    for jump in jumps {
      counter.take(Step(time: jump.time, duration: 0.5, length: 0.7, cadence: 2))
      counter.take(PressureSample(time: jump.time, pressure: jump.pressure)) { _ in count += 1 }
    }
    counter.finish { _ in count += 1 }
    #expect(count == 0)
  }

  @Test func `a floor is dated where it was complete, on stairs that the engine hears`() {
    let samples = SyntheticWalk(cadence: 1.7).samples([(20, false), (60, true), (20, false)])
    var pedometer = Pedometer()
    var data = PedometerData(start: 0, end: 0)
    data.beginFloors()
    var times: [Double] = []
    let hear = { (event: MotionEvent) in
      switch event {
      case .step(let step): data.add(step)
      case .floor(let floor):
        data.add(floor)
        times.append(floor.time)
      case .pedometer, .activity: break
      }
    }
    for (index, sample) in samples.enumerated() {
      pedometer.take(sample, hear)
      guard index % 50 == 49 else { continue }
      // From 30 s on 9 m in 30 s.
      let height = min(max(sample.time - 30, 0), 30) * 0.3
      pedometer.take(PressureSample(time: sample.time, pressure: Float(101_325 - height / 0.08327)), hear)
    }
    pedometer.finish(hear)
    #expect(data.floorsAscended == 3)
    #expect(data.floorsDescended == 0)
    for (floor, time) in times.enumerated() { #expect(abs(time - (30 + 10 * Double(floor + 1) - 2.3)) < 3) }
  }
}
