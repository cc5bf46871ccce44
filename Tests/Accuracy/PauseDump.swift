import Motion

/// Writes what pauses are found by while an engine hears a recording.
///
/// A job is a line `recording,as,name`: the recording is judged by the weights of the recording `as` (`Folds`). DIRECTORY/name
/// then holds rows of 32-bit floats: the time in s and the features, for each look while there is a walk to end.
struct PauseDump {
  let directory: String
  let folds: Folds

  func run(jobs path: String) throws {
    for line in try Files.lines(path) {
      let fields = line.split(separator: ",").map(String.init)
      guard fields.count == 3 else { continue }
      let rows = try Files.samples(fields[0]).rows(
        heardBy: folds.pedometer(for: fields[1]), looks: { $0.pauseLooks }, features: { $0.pauseFeatures() })
      try Files.write(rows, to: "\(directory)/\(fields[2])")
    }
  }
}
