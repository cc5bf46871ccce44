import AgentTesting
import Testing

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
    var met = Course.Encounters()
    for seed in 81...UInt64(160) {
      var course = Course(seed: seed)
      _ = course.run()
      met += course.encounters
    }
    #expect(met.repetitions > 0)
    #expect(met.trims > 0)
    #expect(met.merged > 0)
    #expect(met.forgotten > 0)
    #expect(met.gone > 0)
    #expect(met.crossings > 0)
    #expect(met.remembered > 0)
  }
}
