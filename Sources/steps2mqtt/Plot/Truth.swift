import Motion

/// What is known to be true of a recording.
struct Truth: Equatable {
  /// A stretch that somebody gave a name, in seconds on the recording's clock.
  struct Stretch: Equatable {
    var start: Double
    var end: Double
    var label: String

    /// The activity that the name stands for; nil where it stands for none that the engine knows.
    var kind: MotionActivity.Kind? { MotionActivity.Kind(label: label) }
  }

  /// The times of all true steps in order, in seconds on the recording's clock; nil where they are not known.
  var steps: [Double]?
  /// The named stretches, in the order of the file.
  var stretches: [Stretch] = []
  /// How many stretches were left out since they end before they begin.
  var reversed = 0
}

extension MotionActivity.Kind {
  /// Reads a name as people and data sets write it: `walking`, `Bus`, `stairs_up`.
  init?(label: String) {
    switch label.lowercased() {
    case "walking", "walk", "walking_slow", "walking_turn", "treadmill_walking", "hiking": self = .walking
    case "stairs", "stairs_up", "stairs_down": self = .walking
    case "running", "run", "jogging", "treadmill_running": self = .running
    case "cycling", "bicycling", "biking", "bike": self = .cycling
    case "automotive", "vehicle", "car", "driving", "bus", "tram", "train", "metro", "subway", "motorcycle":
      self = .automotive
    case "stationary", "still", "sitting", "standing", "lying", "desk_work", "elevator_standing": self = .stationary
    default: return nil
    }
  }
}
