import Agent
import AgentTesting
import Motion
import Testing
import Wire

/// How the agent ends.
@Suite struct LeavingTests {
  @Test func `leaving counts what is held back, sends it, says offline, and then leaves`() {
    var world = World.walking()
    world.connect()
    world.walk(3)
    world.heldBack = [.step(Step(time: 1, duration: 0.5, length: 0.7, cadence: 2))]
    world.send(.stop)
    #expect(world.hasLeft)
    #expect(world.consumer.steps == 4)
    #expect(world.published.last?.topic == "steps2mqtt/p1/availability")
    #expect(world.retained["steps2mqtt/p1/availability"] == Array("offline".utf8))
    #expect(world.journal.acknowledged.count == world.journal.records.count)
    #expect(world.machine.nextDeadline == nil)
    #expect(!world.isSensorOpen)
    world.crash()
    #expect(world.isSensorOpen)
  }

  @Test(arguments: [(true, false), (false, true), (true, true)])
  func `leaving takes at most 5 s though disk and broker hang`(journal: Bool, broker: Bool) {
    var world = World.walking()
    world.connect()
    world.holdsJournal = journal
    world.holdsAcknowledgements = broker
    world.walk(3)
    world.send(.stop)
    #expect(!world.hasLeft)
    world.advance(5000)
    #expect(world.hasLeft)
    #expect(world.published.contains { $0.payload == Array("offline".utf8) })
  }

  @Test func `with exit at end the agent leaves once the recording ended and all is acknowledged`() {
    var world = World.walking { $0.exitAtEnd = true }
    world.walk(50)
    world.send(.sensor(.ended))
    world.advance(60_000)
    #expect(!world.hasLeft)
    world.connect()
    world.advance(20_000)
    #expect(world.hasLeft)
    #expect(world.consumer.steps == 50)
  }

  @Test func `nothing is published after offline, whatever still happens`() {
    var world = World.walking()
    world.connect()
    world.walk(3)
    world.holdsAcknowledgements = true
    world.send(.stop)
    world.advance(4600)
    world.holdsJournal = true
    let last = world.published.lastIndex { $0.payload == Array("offline".utf8) }
    world.send(.vitals(world.vitals))
    world.command("status")
    world.command("online", topic: "homeassistant/status")
    world.send(.sensor(.lost(SensorLoss(reason: "unplugged"))))
    world.acknowledgeAll()
    #expect(last != nil && last == world.published.count - 1, "\(world.published.suffix(3).map(\.topic))")
  }
}
