import AgentTesting
import Testing
import Wire

/// Some of the random courses; `make test` runs 20,000 of them optimised, `make soak` a million.
@Suite struct SimulationTests {
  private func faults(of seeds: some Sequence<UInt64>) -> [String] {
    seeds.flatMap { seed in
      var course = Course(seed: seed)
      return course.run().map { "seed \(seed): \($0)" }
    }
  }

  @Test(arguments: 0..<UInt64(4))
  func `whatever happens, what was counted arrives once or is named as gone`(share: UInt64) {
    #expect(faults(of: 1 + share * 40..<1 + (share + 1) * 40) == [])
  }

  @Test func `no seed that once showed a defect shows one again`() {
    #expect(faults(of: Course.regressions) == [])
  }

  @Test func `courses meet what they are to prove`() {
    var (trims, repetitions, forgotten, gone, merged) = (0, 0, 0, 0, 0)
    for seed in 1...UInt64(80) {
      var course = Course(seed: seed)
      _ = course.run()
      trims += course.world.journal.trims
      repetitions += course.world.consumer.repetitions
      forgotten += course.world.consumer.forgotten.count
      gone += course.world.consumer.stepsNamedGone
      merged += course.world.consumer.records.values.count { $0["replaces"] != nil }
    }
    #expect(trims > 50 && repetitions > 100 && forgotten > 10 && gone > 10 && merged > 20)
  }
}
