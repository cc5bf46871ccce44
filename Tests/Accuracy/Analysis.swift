import FoundationEssentials
import Motion

/// Which weights judge which recording, in a validation where no network hears a subject that it was trained on.
struct Folds {
  private var weights: [String: (network: [Float], pause: [Float]?)] = [:]
  private var configuration = Pedometer.Configuration()

  /// Reads the file and the sensitivity that the environment names; without a file every recording is judged by the trained weights.
  static func named() throws -> Folds {
    var folds = Folds()
    if let name = ProcessInfo.processInfo.environment["MOTION_SENSITIVITY"] {
      folds.configuration.sensitivity = Pedometer.Sensitivity(rawValue: name) ?? .normal
    }
    guard let path = ProcessInfo.processInfo.environment["MOTION_FOLDS"], !path.isEmpty
    else { return folds }
    var files: [Substring: [Float]] = [:]
    for line in try Files.lines(path) {
      let fields = line.split(separator: ",")
      guard fields.count == 2 || fields.count == 3 else { continue }
      for file in fields.dropFirst() where files[file] == nil { files[file] = try Files.floats(String(file)) }
      guard let network = files[fields[1]] else { continue }
      folds.weights[String(fields[0])] = (network, fields.count == 3 ? files[fields[2]] : nil)
    }
    return folds
  }

  /// Returns an engine for a recording, named by its last two path components.
  func pedometer(for recording: String) -> Pedometer {
    let name = recording.split(separator: "/").suffix(2).joined(separator: "/")
    return Pedometer(configuration, weights: weights[name]?.network, pauseWeights: weights[name]?.pause)
  }
}

/// Counts recordings, a JSON object a line.
struct Analysis {
  let folds: Folds

  func run(_ recordings: [String], stepsOnly: Bool = false) throws {
    for recording in recordings {
      let heard = Heard(try Files.samples(recording), folds.pedometer(for: recording))
      print(stepsOnly ? heard.timesJSON(recording) : heard.json(recording))
    }
  }
}

/// What the engine said about a recording.
struct Heard {
  var samples = 0
  var start = 0.0
  var end = 0.0
  /// What was said, and the time of the sample at which it was said.
  var steps: [(step: Step, at: Double)] = []
  var events: [(PedometerEvent, at: Double)] = []
  var activities: [(activity: MotionActivity, at: Double)] = []

  init(_ samples: [AccelerometerSample], _ pedometer: Pedometer) {
    self.samples = samples.count
    start = samples.first?.time ?? 0
    end = samples.last?.time ?? 0
    var pedometer = pedometer
    for sample in samples { pedometer.take(sample) { hear($0, at: sample.time) } }
    pedometer.finish { hear($0, at: end) }
  }

  private mutating func hear(_ event: MotionEvent, at time: Double) {
    switch event {
    case .step(let step): steps.append((step, time))
    case .floor: break
    case .pedometer(let event): events.append((event, time))
    case .activity(let activity): activities.append((activity, time))
    }
  }

  /// The times of the steps as a JSON object.
  func timesJSON(_ recording: String) -> String {
    let times = steps.map { "\($0.step.time)" }.joined(separator: ",")
    return #"{"recording":"\#(recording)","times":[\#(times)]}"#
  }

  func json(_ recording: String) -> String {
    var spans: [String] = []
    for (i, (activity, _)) in activities.enumerated() {
      let until = i + 1 < activities.count ? activities[i + 1].activity.start : end
      spans.append(
        """
        {"start_s":\(activity.start),"end_s":\(until),"activity":"\(activity.kind.rawValue)",\
        "confidence":"\(activity.confidence.rawValue)"}
        """)
    }
    let told = events.map { event, _ in
      #"{"event":"\#(event.kind == .pause ? "pause" : "resume")","time_s":\#(event.time)}"#
    }
    return """
      {"recording":"\(recording)","samples":\(samples),"duration_s":\(end - start),"steps":\(steps.count),\
      "activities":[\(spans.joined(separator: ","))],"events":[\(told.joined(separator: ","))]}
      """
  }
}
