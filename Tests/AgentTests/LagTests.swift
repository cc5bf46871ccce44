import Agent
import AgentTesting
import Motion
import Testing
import Wire

/// Steps that are not forced to the disk at once, and what a loss of power may take of them.
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

  /// Walks step by step, and says of each commit with records whether it may lag, and when it was.
  private func commits(of steps: Int, in world: inout World) -> [(mayLag: Bool, at: Int64)] {
    var commits: [(Bool, Int64)] = []
    world.holdsJournal = true
    for _ in 0..<steps {
      world.walk(1)
      for case .commit(let commit) in world.requests where !commit.records.isEmpty {
        commits.append((commit.mayLag, world.now.monotonic))
      }
      world.completeAllOfJournal()
    }
    world.holdsJournal = false
    return commits
  }

  @Test func `steps alone may lag, and are forced to the disk within 5 s`() {
    var world = walking()
    let commits = commits(of: 120, in: &world)
    #expect(commits.count >= 55)
    let forced = commits.filter { !$0.mayLag }.map(\.at)
    #expect((10...14).contains(forced.count), "\(forced.count) of \(commits.count)")
    #expect(zip(forced, forced.dropFirst()).allSatisfy { $1 - $0 <= 5000 })
  }

  @Test func `what follows the last steps forces them to the disk, and so does time alone`() {
    var world = walking()
    _ = commits(of: 7, in: &world)
    let before = world.journal.memory
    tell(.pause, &world)
    #expect(world.journal.memory != before)
    tell(.resume, &world)
    _ = commits(of: 3, in: &world)
    let then = world.journal.memory
    world.advance(5000)
    #expect(world.journal.memory != then)
  }

  @Test func `a process that dies loses nothing of what lags`() {
    var world = walking()
    world.walk(23)
    world.advance(1000)
    let counted = world.walked
    world.crash()
    #expect(world.walked == counted)
    world.connect()
    for member in ["total_steps", "today_steps", "session_steps"] {
      #expect(integer(world.state, member) == counted, "\(member)")
    }
    world.advance(60_000)
    #expect(world.consumer.steps == counted)
  }

  @Test(arguments: 20...31) func `after a loss of power no total goes down, and no number comes twice`(steps: Int) {
    var world = walking()
    world.walk(steps)
    let told = integer(world.state, "total_steps")
    world.crash(reboot: true)
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

  @Test func `a device that lost its power at rest says its total as it was`() {
    var world = walking()
    world.walk(20)
    tell(.pause, &world)
    world.advance(10_000)
    let told = integer(world.state, "total_steps")
    world.crash(reboot: true)
    world.connect()
    #expect(told == 20 && integer(world.state, "total_steps") == 20 && world.remembered == 0)
  }
}
