import Agent
import AgentTesting
import Testing
import Wire

/// An epoch has one owner, the journal, and ends only when what was published is lost.
@Suite struct EpochTests {
  private func epochs(_ world: World) -> Set<String> { Set(world.consumer.records.keys.map(\.epoch)) }

  @Test func `a new journal's epoch is the agent's, over restarts and reboots`() {
    var world = World.walking()
    world.connect()
    world.walk(10)
    world.crash(reboot: true)
    world.connect()
    world.walk(10)
    world.advance(5000)
    #expect(epochs(world) == ["first"])
    #expect(world.state?["epoch"] == .string("first"))
    #expect(world.retained("steps2mqtt/p1/info")?["epoch"] == .string("first"))
  }

  @Test func `what a lost tail makes doubtful begins a new epoch, and what was left goes out under the old name`() {
    var world = World.walking()
    world.connect()
    world.walk(10)
    world.disconnect()
    world.walk(30)
    world.advance(2000)
    world.journal.isTailLost = true
    world.crash()
    world.journal.isTailLost = false
    world.connect()
    world.walk(5)
    world.advance(10_000)
    #expect(epochs(world).count == 2)
    #expect(world.consumer.steps == 45, "nothing of the old epoch counts twice, nothing is left out")
    #expect(world.consumer.records.values.contains { $0["event_type"] == .string("epoch_started") })
    let now = world.state?["epoch"]?.text
    #expect(now != "first" && now != nil)
    for (key, record) in world.consumer.records where record["kind"] == .string("steps") {
      #expect(key.epoch == (record["total_steps"].map { $0 == .integer(45) } == true ? now : key.epoch))
    }
    world.crash()
    world.connect()
    world.advance(10_000)
    #expect(world.state?["epoch"]?.text == now, "once is enough")
    #expect(world.consumer.faults == [] && world.faults == [])
    #expect(world.inspector.faults == [])
  }

  @Test(arguments: [false, true])
  func `a memory that nobody can read is said, and the totals begin anew in a new epoch`(isLate: Bool) {
    var world = World.walking()
    world.walk(20)
    world.advance(2000)
    world.journal.spoilMemory()
    world.journal.isOpen = !isLate
    world.crash()
    world.connect()
    world.advance(61_000)
    world.command("start")
    world.walk(7)
    world.advance(10_000)
    #expect(world.log.contains { $0.contains("could not be read") })
    #expect(world.consumer.records.values.contains { $0["event_type"] == .string("epoch_started") })
    #expect(world.state?["total_steps"] == .integer(7))
    #expect(world.state?["epoch"]?.text != "first")
    #expect(world.consumer.steps == 27)
    #expect(epochs(world).count == 2)
    #expect(world.consumer.faults == [] && world.faults == [])
  }
}
