import Motion

/// Counts against truth, group by group, and seconds of activity against labels: what ../shared/tools/score.py computes.
struct Score {
  /// The fewest true steps of a recording that enters the mean error.
  private static let fewest = 15

  /// The errors of a group of recordings, in percent.
  private(set) var errors: [String: [Double]] = [:]
  /// Steps and hours where there was no step, by kind of material.
  private(set) var none: [String: (steps: Int, hours: Double)] = [:]
  /// Seconds by true and by said activity.
  private(set) var seconds: [Pair: Int] = [:]
  /// Seconds by confidence: said, and right.
  private(set) var confidences: [MotionActivity.Confidence: (said: Int, right: Int)] = [:]

  /// A true and a said activity.
  struct Pair: Hashable {
    let truth: MotionActivity.Kind
    let said: MotionActivity.Kind
  }

  mutating func add(_ row: Manifest.Row, _ heard: Heard, _ labels: [(start: Double, end: Double, label: String)]) {
    guard !row.isDoubtful else { return }
    if let steps = row.steps {
      if steps == 0 {
        let kind = Score.kind(row.activity)
        let old = none[kind] ?? (0, 0)
        none[kind] = (old.steps + heard.steps.count, old.hours + row.duration / 3600)
      } else if steps >= Score.fewest {
        let error = Double(abs(heard.steps.count - steps)) / Double(steps) * 100
        errors["\(row.dataset)/\(row.placement)", default: []].append(error)
      }
    }
    let spans = labels.isEmpty && !row.activity.isEmpty ? [(0.0, row.duration, row.activity)] : labels
    var previous: MotionActivity.Kind?
    for (start, end, label) in spans {
      guard let truth = ActivityNames.kind(label) else {
        previous = nil
        continue
      }
      var time = max(start + (truth == previous ? 0 : 5), 10)
      previous = truth
      while time < end {
        add(truth, heard.activity(at: time))
        time += 1
      }
    }
  }

  private mutating func add(_ truth: MotionActivity.Kind, _ activity: MotionActivity?) {
    let said = activity?.kind ?? .unknown
    seconds[Pair(truth: truth, said: said), default: 0] += 1
    guard let activity, truth != .unknown || said != .stationary else { return }
    let old = confidences[activity.confidence] ?? (0, 0)
    confidences[activity.confidence] = (old.said + 1, old.right + (said == truth ? 1 : 0))
  }

  /// The mean error of a group, in percent.
  func mean(_ group: String) -> Double? {
    errors[group].map { $0.reduce(0, +) / Double($0.count) }
  }

  /// False steps an hour on kinds of material.
  func rate(_ kinds: [String]) -> Double? {
    let parts = kinds.compactMap { none[$0] }
    guard !parts.isEmpty else { return nil }
    return Double(parts.map(\.steps).reduce(0, +)) / parts.map(\.hours).reduce(0, +)
  }

  /// Recall, precision and their harmonic mean for an activity; nil where it does not occur.
  func quality(_ kind: MotionActivity.Kind) -> (recall: Double, precision: Double, f1: Double)? {
    let hit = Double(seconds[Pair(truth: kind, said: kind)] ?? 0)
    let total = Double(seconds.filter { $0.key.truth == kind }.values.reduce(0, +))
    // Seconds of hands at work may be called stationary.
    let said = Double(
      seconds.filter { $0.key.said == kind && !(kind == .stationary && $0.key.truth == .unknown) }.values.reduce(0, +))
    guard total > 0 else { return nil }
    let (recall, precision) = (hit / total, said > 0 ? hit / said : 0)
    return (recall, precision, recall + precision > 0 ? 2 * recall * precision / (recall + precision) : 0)
  }

  private static func kind(_ activity: String) -> String {
    let exercises: Set = [
      "sit_ups", "squats", "push_ups", "sit_stand", "bending", "rowing", "rowing_mimed", "jumping", "jumping_jacks",
    ]
    if exercises.contains(activity) || activity.hasPrefix("gym_") { return "exercise" }
    switch ActivityNames.kind(activity) {
    case .automotive: return "vehicle"
    case .stationary: return "still"
    case .cycling: return "cycling"
    default: return "hands"
    }
  }
}

extension Heard {
  /// Returns what was said to go on at a time.
  func activity(at time: Double) -> MotionActivity? {
    activities.last { $0.activity.start <= time }?.activity
  }
}

/// The recordings' names for activities, as ../shared/recordings/activity_map.csv maps them.
enum ActivityNames {
  /// Returns the activity of a name; nil where nothing is known about it.
  static func kind(_ name: String) -> MotionActivity.Kind? { table[name] ?? (isHands(name) ? .unknown : nil) }

  private static func isHands(_ name: String) -> Bool {
    unknown.contains(name) || ["hand_", "eating", "gym_"].contains { name.hasPrefix($0) }
  }

  private static let table: [String: MotionActivity.Kind] = [
    "walking": .walking, "stairs": .walking, "stairs_up": .walking, "stairs_down": .walking, "walking_slow": .walking,
    "treadmill_walking": .walking, "treadmill": .walking, "parkinson_gait": .walking, "running": .running,
    "treadmill_running": .running, "cycling": .cycling, "car": .automotive, "driving": .automotive,
    "bus": .automotive, "tram": .automotive, "train": .automotive, "metro": .automotive, "stationary": .stationary,
    "sitting": .stationary, "standing": .stationary, "lying": .stationary, "desk_work": .stationary,
    "typing": .stationary, "hand_idle_hands": .stationary, "elevator_standing": .stationary,
  ]

  private static let unknown: Set = [
    "phone_fiddling", "phone_gaming", "drinking", "brushing_teeth", "combing_hair", "clapping", "writing",
    "washing_up", "folding_clothes", "pouring_water", "telephone", "arm_movement", "other_nonwalk", "kicking_ball",
    "playing_catch", "dribbling", "jumping", "jumping_jacks", "squats", "sit_ups", "fall", "car_step_in",
    "car_step_out", "sit_down", "stand_up", "getup_bed", "liedown_bed", "dishwasher", "dressing", "shoe_laces",
    "housework", "mixed_daily", "car_in_out", "elevator_moving", "sit_stand", "bending", "cross_trainer", "stepper",
    "rowing", "rowing_mimed", "push_ups", "basketball", "roundkick",
  ]
}
