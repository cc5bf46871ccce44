internal import Wire

extension Memory {
  /// Settings that commands changed; nil where the configuration holds.
  struct Overrides: Codable, Sendable, Equatable {
    /// What can be changed, by its name in the configuration.
    enum Setting: String, CaseIterable, Sendable {
      case updateInterval = "tracking.update_interval_s"
      case height = "wearer.height_m"
      case stepLength = "wearer.step_length_m"

      var range: ClosedRange<Double> {
        switch self {
        case .updateInterval: Limits.updateInterval
        case .height: Limits.height
        case .stepLength: Limits.stepLength
        }
      }
    }

    /// In ms.
    var updateInterval: Int64?
    /// In m.
    var height: Float?
    /// In m; 0 to estimate it.
    var stepLength: Float?

    /// Changes a setting, or gives it back to the configuration with null; false for a value that cannot be.
    mutating func set(_ setting: Setting, to value: JSONValue) -> Bool {
      let number = value.double
      if value != .null {
        let isEstimate = setting == .stepLength && number == 0
        guard let number, setting.range.contains(number) || isEstimate else { return false }
      }
      switch setting {
      case .updateInterval: updateInterval = number.map { Int64($0 * 1000) }
      case .height: height = number.map(Float.init)
      case .stepLength: stepLength = number.map(Float.init)
      }
      return true
    }

    /// What is changed, in the units of the configuration.
    var values: [String: Double] {
      var values: [String: Double] = [:]
      values[Setting.updateInterval.rawValue] = updateInterval.map { Double($0) / 1000 }
      values[Setting.height.rawValue] = height.map { (Double($0) * 1000).rounded() / 1000 }
      values[Setting.stepLength.rawValue] = stepLength.map { (Double($0) * 1000).rounded() / 1000 }
      return values
    }
  }
}
