import Agent
import AgentTesting
import Motion
import Testing
import Wire

/// Steps that are told ahead of the disk, and what the end of a process may take of them.
@Suite struct LagTests {
  /// A world in which the engine has said that the wearer walks.
  private func walking() -> World {
    var world = World.walking()
    world.connect()
    tell(.resume, &world)
    return world
  }

  private func tell(_ kind: PedometerEvent.Kind, _ world: inout World) {
    world.send(.motion(.pedometer(PedometerEvent(kind: kind, time: Double(world.now.monotonic) / 1000))))
  }

  private func integer(_ state: JSONValue?, _ member: String) -> Int {
    if case .integer(let value) = state?[member] { Int(value) } else { -1 }
  }

  /// The numbers of the step records that were published live.
  private func told(_ world: World) -> [Int] { world.payloads(on: "steps2mqtt/p1/steps").map { integer($0, "seq") } }

  @Test func `steps are told each second, and go to the disk together within 5 s`() {
    var world = walking()
    let start = world.now.monotonic
    var commits: [Int64] = []
    var unsaved = 0
    for _ in 0..<120 {
      let before = world.journal.commits
      world.walk(1)
      if world.journal.commits > before { commits.append(world.now.monotonic) }
      unsaved = max(unsaved, world.walked - world.journal.steps)
    }
    #expect(told(world).count >= 55)
    #expect((12...15).contains(commits.count), "\(commits.map { $0 - start })")
    #expect(zip(commits, commits.dropFirst()).allSatisfy { $1 - $0 <= 5000 })
    #expect((8...11).contains(unsaved), "\(unsaved) steps were not on disk")
  }

  @Test func `what follows the last steps takes them to the disk, and so does time alone`() {
    var world = walking()
    world.walk(7)
    #expect(world.journal.steps < 7)
    tell(.pause, &world)
    #expect(world.journal.steps == 7)
    tell(.resume, &world)
    world.walk(3)
    world.advance(5000)
    #expect(world.journal.steps == 10)
  }

  @Test func `before the disk knows that the wearer walks nothing is told ahead of it`() {
    var world = World.walking()
    world.connect()
    world.holdsJournal = true
    tell(.resume, &world)
    world.walk(6)
    #expect(told(world) == [])
    world.completeAllOfJournal()
    world.walk(6)
    world.completeAllOfJournal()
    #expect(!told(world).isEmpty)
  }

  @Test func `a query finds the steps that were told ahead of the disk`() {
    var world = walking()
    world.advance(60_000)
    world.walk(7)
    #expect(world.journal.steps < 7)
    world.command(#"{"id":"q","command":"query","args":{"from":"2026-11-30T08:15:30Z"}}"#)
    #expect(integer(world.answers.last?["data"], "steps") == 7)
  }

  @Test func `acknowledgements of steps go to the disk within a minute of walking, and 5 s of rest`() {
    var world = walking()
    world.walk(118)
    #expect(world.journal.unacknowledged > 40)
    world.walk(12)
    #expect(world.journal.unacknowledged < 10)
    world.advance(1000)
    tell(.pause, &world)
    world.advance(5001)
    #expect(world.journal.steps == 130 && world.journal.unacknowledged == 0)
    #expect(world.consumer.steps == 130 && world.consumer.repetitions == 0)
  }

  @Test func `a process that dies knows all steps on disk, though its memory lacks them`() {
    var world = walking()
    world.walk(75)
    let memory = world.journal.memory
    world.walk(10)
    #expect(world.journal.memory == memory)
    world.crash()
    #expect(world.walked > 70)
    world.connect()
    #expect(integer(world.state, "session_steps") == world.walked)
    #expect(integer(world.state, "today_steps") == world.walked)
  }

  @Test(arguments: [false, true])
  func `steps that were told ahead and did not arrive come by the history once they are on disk`(refused: Bool) {
    var world = walking()
    world.walk(3)
    if refused {
      world.outcome = { $0.topic.hasSuffix("/steps") ? .denied(reason: "not authorised") : .acknowledged }
    } else {
      world.holdsAcknowledgements = true
    }
    world.walk(4)
    if !refused {
      world.disconnect()
      world.holdsAcknowledgements = false
      world.connect()
    }
    world.walk(10)
    world.advance(60_000)
    #expect(world.consumer.steps == 17 && world.journal.unacknowledged == 0)
    #expect(world.consumer.faults + world.inspector.faults + world.faults == [])
  }

  @Test func `steps that were told ahead of a disk that fails are neither told again nor named as lost`() {
    var world = walking()
    world.walk(7)
    world.journal.fault = "input/output error"
    world.advance(10_000)
    let before = told(world)
    for _ in 0..<4200 {
      world.step()
      tell(.pause, &world)
    }
    world.journal.fault = nil
    world.advance(200_000)
    #expect(told(world).starts(with: before) && Set(told(world)).count == told(world).count)
    #expect(world.events.contains("records_lost"))
    #expect(world.consumer.steps + world.consumer.stepsNamedGone == world.walked)
  }

  @Test(arguments: [false, true], 20...31)
  func `after the end of a process no total goes down, and no number comes twice`(reboot: Bool, steps: Int) {
    var world = walking()
    world.walk(steps)
    let told = integer(world.state, "total_steps")
    world.crash(reboot: reboot)
    #expect(told - world.walked <= 10, "more than 5 s hold were lost")
    world.connect()
    #expect((told...world.walked + 25).contains(integer(world.state, "total_steps")))
    world.walk(60)
    world.advance(120_000)
    // It has caught up, and the consumer has each step once, those that the device forgot too.
    #expect(integer(world.state, "total_steps") == world.walked)
    #expect(world.consumer.steps == world.walked + world.remembered)
    #expect(world.consumer.faults + world.inspector.faults == [])
  }

  @Test func `a device whose process died at rest says its total as it was`() {
    var world = walking()
    world.walk(20)
    tell(.pause, &world)
    world.advance(10_000)
    let told = integer(world.state, "total_steps")
    world.crash(reboot: true)
    world.connect()
    #expect(told == 20 && integer(world.state, "total_steps") == 20 && world.remembered == 0)
  }

  @Test func `how far an activity is trusted is told without a commit`() {
    var world = walking()
    let activity = MotionActivity(.walking, confidence: .low, start: 0)
    world.send(.motion(.activity(activity)))
    let before = world.journal.commits
    world.send(.motion(.activity(MotionActivity(.walking, confidence: .high, start: 0))))
    #expect(world.state?["confidence"] == .string("high"))
    #expect(world.journal.commits == before)
  }
}
