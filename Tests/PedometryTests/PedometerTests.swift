import Motion
import Pedometry
import Sensors
import Testing

/// The steps that the engine itself counts in the synthetic walk: nothing may be added or lost on the way.
let counted: Int = {
  var engine = Motion.Pedometer()
  var steps = 0
  let note = { (event: MotionEvent) in
    if case .step = event { steps += 1 }
  }
  for sample in SyntheticWalk(SyntheticWalk.Configuration()).samples(rate: 50) { engine.take(sample, note) }
  engine.finish(note)
  return steps
}()

@Suite struct PedometerTests {
  private let scratch = Scratch()

  private func device(_ source: MotionDevice.Configuration.Source = .syntheticWalk(isHurried: true)) -> MotionDevice {
    MotionDevice(MotionDevice.Configuration(source: source, historyDirectory: scratch.path))
  }

  /// Runs a walk to its end and returns the updates.
  private func walk(_ device: MotionDevice, from start: Date) async throws -> [Pedometry.PedometerData] {
    var all: [Pedometry.PedometerData] = []
    for try await data in Pedometry.Pedometer(device).updates(from: start) { all.append(data) }
    return all
  }

  @Test func `updates grow from the start on, and the last one has everything`() async throws {
    let start = Date()
    let updates = try await walk(device(), from: start)
    let counts = updates.map(\.numberOfSteps.intValue)
    #expect(counts == counts.sorted())
    let last = try #require(updates.last)
    #expect(last.numberOfSteps.intValue == counted)
    #expect(last.startDate.timeIntervalSince(start).magnitude < 0.001)
    #expect(last.endDate > start)
    #expect(last.distance != nil && last.averageActivePace != nil)
    #expect(last.currentCadence == nil && last.floorsAscended == nil)
  }

  @Test func `the history is there after the device is gone, and a start in the past takes it in`() async throws {
    let start = Date()
    let first = try #require(try await walk(device(), from: start).last)
    // The file is held by one at a time: it is closed soon after the device is gone.
    let end = first.endDate.addingTimeInterval(1)
    let next = device()
    var known: Pedometry.PedometerData?
    let deadline = ContinuousClock.now + .seconds(120)
    while known == nil, ContinuousClock.now < deadline {
      known = try? await Pedometry.Pedometer(next).queryPedometerData(from: start, to: end)
      if known == nil { try await Task.sleep(for: .milliseconds(50)) }
    }
    #expect(known?.numberOfSteps == first.numberOfSteps)
    let more = try #require(try await walk(next, from: start).last)
    #expect(more.numberOfSteps.intValue == 2 * counted)
    let activities = try await MotionActivityManager(next).queryActivityStarting(from: start, to: end)
    #expect(activities.contains { $0.running })
    #expect(activities.map(\.startDate) == activities.map(\.startDate).sorted())
  }

  @Test func `events come in turn, dated within the walk`() async throws {
    let device = device()
    let start = Date()
    var events: [Pedometry.PedometerEvent] = []
    for try await event in Pedometry.Pedometer(device).events() { events.append(event) }
    #expect(events.count >= 8)
    for (one, next) in zip(events, events.dropFirst()) {
      #expect(one.type != next.type)
      #expect(one.date <= next.date)
    }
    #expect(events.allSatisfy { $0.date >= start })
  }

  @Test func `a recording with pressures has floors`() async throws {
    let path = "\(scratch.path).csv"
    defer { try? FileManager.default.removeItem(atPath: path) }
    // A body that bounces at 1.7 steps/s for 60 s, on 9 m of stairs from 20 s on.
    var text = "t,x,y,z,pressure_hpa\n"
    for index in 0..<5000 {
      let time = Double(index) / 50
      let walks = time > 10 && time < 70
      let angle = 2 * Double.pi * 1.7 * time
      let bounce = walks ? 0.2 * (cos(angle) + 0.35 * cos(2 * angle + 0.6)) : 0
      let swing = walks ? 0.15 * sin(angle / 2) : 0
      let noise = 0.004 * sin(Double(index * index % 97))
      text += "\(time),\(swing + noise),\(0.6 * (1 + bounce)),\(0.8 * (1 + bounce) - noise)"
      let height = min(max(time - 20, 0), 32) * 0.28
      text += index % 50 == 0 ? ",\(1013.25 - height / 8.327)\n" : "\n"
    }
    try Data(text.utf8).write(to: URL(filePath: path))
    let data = try #require(try await walk(device(.recording(path: path, isHurried: true)), from: Date()).last)
    #expect(data.numberOfSteps.intValue > 90)
    #expect(data.floorsAscended == 3)
    #expect(data.floorsDescended == 0)
  }

  @Test func `says why there are no updates`() async throws {
    let device = device(.recording(path: "/nowhere.csv"))
    let error = await #expect(throws: MotionError.self) { _ = try await walk(device, from: Date()) }
    #expect(error?.code == .notAvailable)
    #expect(error?.message.contains("/nowhere.csv") == true)
  }

  @Test(.timeLimit(.minutes(2))) func `whoever comes later hears why there is nothing, too, or that all is over`()
    async throws
  {
    let nothing = device(.recording(path: "/nowhere.csv"))
    let first = Pedometry.Pedometer(nothing)
    let (errors, told) = AsyncStream.makeStream(of: (any Error)?.self)
    first.startUpdates(from: Date()) { _, error in told.yield(error) }
    for await error in errors {
      #expect(error != nil)
      break
    }
    await #expect(throws: MotionError.self) { _ = try await walk(nothing, from: Date()) }

    let over = device()
    let stays = Pedometry.Pedometer(over)
    stays.startUpdates(from: Date()) { _, _ in }
    _ = try await walk(over, from: Date())
    #expect(try await walk(over, from: Date().addingTimeInterval(1000)).isEmpty)
    first.stopUpdates()
    stays.stopUpdates()
  }

  @Test func `an interval that ends before it starts is refused, and one without a history is empty`() async throws {
    let pedometer = Pedometry.Pedometer(device())
    let error = await #expect(throws: MotionError.self) {
      _ = try await pedometer.queryPedometerData(from: .now, to: .distantPast)
    }
    #expect(error?.code == .invalidParameter)
    let empty = try await pedometer.queryPedometerData(from: .distantPast, to: .now)
    #expect(empty.numberOfSteps == 0)
  }

  @Test func `a history that cannot be kept keeps nobody from counting`() async throws {
    let path = "\(scratch.path).file"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data().write(to: URL(filePath: path))
    let device = MotionDevice(
      MotionDevice.Configuration(source: .syntheticWalk(isHurried: true), historyDirectory: "\(path)/history"))
    let last = try await walk(device, from: .now).last
    #expect(last?.numberOfSteps.intValue == counted)
    let error = await #expect(throws: MotionError.self) {
      _ = try await Pedometry.Pedometer(device).queryPedometerData(from: .distantPast, to: .now)
    }
    #expect(error?.code == .history)
  }
}
