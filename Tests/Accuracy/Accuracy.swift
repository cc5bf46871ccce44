import Glibc

/// Measures the motion engine on recordings, and gives its training what it needs.
@main
enum Accuracy {
  static let usage = """
    accuracy features DIRECTORY JOBS   the network's inputs of recordings, for train.py
    accuracy pauses DIRECTORY JOBS     what pauses are found by, for train_pauses.py
    accuracy analyze --json FILE…      counts as ../shared/tools/score.py reads them; MOTION_FOLDS=FILE judges each
                                       recording by the weights of a line 'recording,weights'
    accuracy steps FILE…               the time of each step, a JSON object a recording
    accuracy holes                     steps counted on synthetic signals of what nobody recorded
    accuracy robustness RECORDINGS     how the count changes when times and samples are spoilt
    accuracy report RECORDINGS         our figures beside the peers', and when steps, pauses and activities are told; fails
                                       below the targets
    accuracy bench [SIGNAL PASSES]     time for a second of signal, and the size of the state; Tests/Accuracy/instructions
                                       counts the processor's instructions instead
    """

  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      switch arguments.first {
      case "features" where arguments.count == 3:
        try FeatureDump(directory: arguments[1]).run(jobs: arguments[2])
      case "pauses" where arguments.count == 3:
        try PauseDump(directory: arguments[1], folds: Folds.named()).run(jobs: arguments[2])
      case "analyze":
        try Analysis(folds: Folds.named()).run(arguments.dropFirst().filter { $0 != "--json" })
      case "steps":
        try Analysis(folds: Folds.named()).run(Array(arguments.dropFirst()), stepsOnly: true)
      case "report" where arguments.count == 2:
        exit(try Report(root: arguments[1], folds: Folds.named()).run() ? 0 : 1)
      case "holes" where arguments.count == 1:
        Holes().run()
      case "robustness" where arguments.count == 2:
        try Robustness(manifest: Manifest(root: arguments[1]), folds: Folds.named()).run()
      case "bench" where arguments.count == 1:
        Bench().run()
      case "bench" where arguments.count == 3:
        Bench(only: arguments[1], passes: max(Int(arguments[2]) ?? 1, 1)).run()
      default:
        print(usage)
        exit(2)
      }
    } catch {
      print("accuracy: \(error)")
      exit(1)
    }
  }
}
