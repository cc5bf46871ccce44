import Agent
import Motion

extension JournaledMachine {
  /// A day, in ms.
  static let day: Int64 = 86_400_000
  /// The walks of a day, each of 173 s at 1.85 steps/s: 8,000 steps.
  private static let walks = 25
  private static let stepsOfWalk = 320
  private static let cadence = 1.85

  /// Lives a day, or some of its walks and the rests after them.
  mutating func live(
    _ day: Int, walks: Range<Int> = 0..<Self.walks, publish: (Publication) -> PublishOutcome?
  ) async throws {
    let gap = Self.day / Int64(Self.walks)
    for walk in walks {
      var time = Int64(day) * Self.day + Int64(walk) * gap
      try await tell(.resume, at: time, publish)
      for _ in 0..<Self.stepsOfWalk {
        let next = time + Int64(1000 / Self.cadence)
        try await tick(until: next, from: time, publish: publish)
        time = next
        let step = Step(
          time: Double(time) / 1000, duration: Float(1 / Self.cadence), length: 0.72, cadence: Float(Self.cadence))
        try await take(.motion(.step(step)), at: time, publish: publish)
      }
      try await tick(until: time + 2000, from: time, publish: publish)
      try await tell(.pause, at: time + 2000, publish)
      try await tick(until: Int64(day) * Self.day + Int64(walk + 1) * gap - 1, from: time + 2000, publish: publish)
    }
  }

  private mutating func tell(
    _ kind: PedometerEvent.Kind, at time: Int64, _ publish: (Publication) -> PublishOutcome?
  ) async throws {
    let event = PedometerEvent(kind: kind, time: Double(time) / 1000)
    try await take(.motion(.pedometer(event)), at: time, publish: publish)
  }
}
