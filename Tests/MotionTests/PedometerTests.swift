import Testing

@testable import Motion

struct PedometerTests {
  @Test(arguments: [10.0, 12.5, 25, 50, 100, 200], [1.3, 1.8, 2.2])
  func `counts a walk at any rate`(rate: Double, cadence: Double) {
    var walk = SyntheticWalk()
    walk.rate = rate
    walk.cadence = cadence
    let heard = Heard(walk.samples([(5, false), (60, true), (5, false)]))
    #expect(abs(Double(heard.steps.count) - 60 * cadence) <= 2.5)
  }

  @Test func `pauses and resumes are dated at the last and the first step`() {
    let heard = Heard(SyntheticWalk().samples([(5, false), (20, true), (6, false), (20, true), (5, false)]))
    #expect(heard.events.map(\.kind) == [.resume, .pause, .resume, .pause])
    for (event, expected) in zip(heard.events, [5.0, 25, 31, 51]) {
      #expect(abs(event.time - expected) < 1)
    }
  }

  @Test func `says a pause within two seconds of the last step`() {
    var pedometer = Pedometer()
    var heardAt: Double?
    for sample in SyntheticWalk().samples([(5, false), (20, true), (6, false)]) {
      pedometer.take(sample) { event in
        if case .pedometer(let event) = event, event.kind == .pause, heardAt == nil {
          heardAt = sample.time - event.time
        }
      }
    }
    #expect((heardAt ?? .infinity) < 2)
  }

  @Test func `steps are in order, and last about as long as they do`() {
    let heard = Heard(SyntheticWalk().samples([(3, false), (30, true), (3, false)]))
    for (one, next) in zip(heard.steps, heard.steps.dropFirst()) {
      #expect(next.time > one.time)
      #expect(abs(next.duration - 1 / 1.8) < 0.15)
    }
    #expect(abs((heard.steps.last?.cadence ?? 0) - 1.8) < 0.05)
  }

  @Test func `a device that lies still has no steps and is stationary`() {
    let heard = Heard(SyntheticWalk().samples([(120, false)]))
    #expect(heard.steps.isEmpty)
    #expect(heard.events.isEmpty)
    #expect(!heard.activities.isEmpty)
    #expect(!heard.activities.isEmpty)
    #expect(heard.activities.allSatisfy { $0.kind == .stationary })
    #expect(heard.activities.last?.confidence == .high)
  }

  @Test func `repeated, reversed and impossible samples change nothing`() {
    let samples = SyntheticWalk().samples([(3, false), (30, true), (3, false)])
    var spoilt: [AccelerometerSample] = []
    for (i, sample) in samples.enumerated() {
      spoilt.append(sample)
      if i % 10 == 3 { spoilt.append(sample) }
      if i % 10 == 5 { spoilt.append(samples[i - 3]) }
      if i % 10 == 7 { spoilt.append(AccelerometerSample(time: sample.time, x: .nan, y: 0, z: .infinity)) }
    }
    #expect(Heard(spoilt).steps == Heard(samples).steps)
  }

  @Test func `a gap of a minute ends the walk and keeps the count`() {
    let samples = SyntheticWalk().samples([(3, false), (30, true)])
    let later = samples.map { sample in
      AccelerometerSample(time: sample.time + 93, x: sample.x, y: sample.y, z: sample.z)
    }
    let heard = Heard(samples + later)
    #expect(abs(heard.steps.count - 2 * 54) <= 4)
    #expect(heard.events.map(\.kind) == [.resume, .pause, .resume, .pause])
  }

  @Test func `activities are dated between the first sample and now, one after the other`() {
    let samples = SyntheticWalk().samples([(10, false), (20, true), (10, false), (15, true), (10, false)])
    var pedometer = Pedometer()
    var latest = 5000.0
    var count = 0
    for sample in samples {
      let later = AccelerometerSample(time: sample.time + 5000, x: sample.x, y: sample.y, z: sample.z)
      pedometer.take(later) { event in
        guard case .activity(let activity) = event else { return }
        count += 1
        #expect(activity.start >= latest)
        #expect(activity.start <= later.time)
        latest = activity.start
      }
    }
    #expect(count > 3)
  }

  @Test func `who stands quietly is not in a vehicle`() {
    let heard = Heard(SyntheticWalk(noise: 0.008).samples([(60, false)]))
    #expect(heard.activities.allSatisfy { $0.kind == .stationary })
  }

  @Test func `confidence in a steady walk grows and does not fall`() {
    let heard = Heard(SyntheticWalk().samples([(5, false), (60, true)]))
    let levels = heard.activities.filter { $0.kind == .walking }.map(\.confidence)
    #expect(levels == [.low, .high])
  }

  @Test func `calls a run a run`() {
    let heard = Heard(
      SyntheticWalk(cadence: 2.7, bounce: 0.7, swing: 0.3).samples([(5, false), (60, true), (3, false)]))
    let run = heard.steps.filter(\.isRunning)
    #expect(Double(run.count) > 0.8 * 60 * 2.7)
    #expect(heard.activities.contains { $0.kind == .running })
  }

  @Test(arguments: [1.3, 1.42], [0.25, 0.35, 0.5])
  func `a thigh that goes round as on pedals makes no steps`(turns: Double, swing: Double) {
    #expect(Heard(SyntheticRide(turns: turns, swing: swing).samples()).steps.count < 5)
  }

  @Test func `a known step length is used as it is`() {
    let walk = SyntheticWalk().samples([(3, false), (20, true), (3, false)])
    let heard = Heard(walk, Pedometer.Configuration(stepLength: 0.61))
    #expect(!heard.steps.isEmpty)
    #expect(heard.steps.allSatisfy { $0.length == 0.61 })
  }

  @Test func `the state is small and of a fixed size`() {
    #expect(MemoryLayout<Pedometer>.size <= 8192)
  }
}
