import AgentTesting
import Glibc

/// Runs random courses in the virtual world: `simulate [--seeds N] [--from SEED]`, or one again: `simulate --seed SEED`.
///
/// Ends with status 1 if a course shows a fault; its seed is printed, and goes into `Course.regressions`.
@main
struct Simulate {
  /// How many courses one task runs before it takes the next share.
  private static let share: UInt64 = 250
  /// How many courses go between two lines of progress.
  private static let interval: UInt64 = 50_000

  static func main() async {
    let arguments = CommandLine.arguments
    func value(of name: String) -> UInt64? {
      arguments.firstIndex(of: name).flatMap { arguments.indices.contains($0 + 1) ? UInt64(arguments[$0 + 1]) : nil }
    }
    if let seed = value(of: "--seed") {
      var course = Course(seed: seed)
      course.tellsStory = true
      let faults = course.run()
      for line in course.story { print(line) }
      print("seed \(seed): \(faults.isEmpty ? "nothing wrong" : faults.joined(separator: "; "))")
      exit(faults.isEmpty ? 0 : 1)
    }
    let first = value(of: "--from") ?? 1
    let count = value(of: "--seeds") ?? 20_000
    let clock = ContinuousClock()
    let start = clock.now
    var met = Course.Encounters()
    var failed = failures(in: Course.regressions, &met)
    var done: UInt64 = 0
    await withTaskGroup(of: (UInt64, Int, Course.Encounters).self) { group in
      var next = first
      func add() {
        guard next < first + count else { return }
        let seeds = next..<min(next + share, first + count)
        next = seeds.upperBound
        group.addTask {
          var met = Course.Encounters()
          let failed = failures(in: seeds, &met)
          return (UInt64(seeds.count), failed, met)
        }
      }
      for _ in 0..<4 { add() }
      for await (ran, found, encounters) in group {
        met += encounters
        done += ran
        failed += found
        if done % interval < ran { report(done, of: count, failed, since: start, clock) }
        add()
      }
    }
    report(done, of: count, failed, since: start, clock)
    print(
      "met \(met.repetitions) repetitions, \(met.trims) trims, \(met.merged) merged records, "
        + "\(met.forgotten) forgotten for others, \(met.gone) steps named as gone, \(met.crossings) crossings, "
        + "\(met.remembered) told before the end of a process took them")
    exit(failed == 0 ? 0 : 1)
  }

  private static func failures(in seeds: some Sequence<UInt64>, _ met: inout Course.Encounters) -> Int {
    var failed = 0
    for seed in seeds {
      var course = Course(seed: seed)
      let faults = course.run()
      met += course.encounters
      guard !faults.isEmpty else { continue }
      failed += 1
      print("seed \(seed): \(faults.joined(separator: "; "))")
    }
    return failed
  }

  private static func report(
    _ done: UInt64, of count: UInt64, _ failed: Int, since start: ContinuousClock.Instant, _ clock: ContinuousClock
  ) {
    let seconds = max(0.001, start.duration(to: clock.now) / .seconds(1))
    print("\(done) of \(count) courses, \(failed) failed, \(Int(Double(done) / seconds)) a second")
    fflush(nil)  // a file or a pipe would hear of it at the end only
  }
}
