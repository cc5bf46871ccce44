internal import Motion

/// A text with gaps for figures: `{steps} steps at {place}`.
public struct TextTemplate: Sendable, Equatable {
  /// What can stand in a gap, by the name between the braces.
  public enum Gap: String, Sendable, CaseIterable {
    /// Steps of the session.
    case steps
    /// Steps of the wearer's day.
    case todaySteps = "today_steps"
    /// Steps of the epoch.
    case totalSteps = "total_steps"
    /// Distance of the session, in whole m.
    case distance = "distance_m"
    /// What the wearer is doing.
    case activity
    /// The name of the place.
    case place
    /// The device's name.
    case name
  }

  /// The text as it was written.
  public let text: String

  /// Makes a template; nil for a name in braces that is none of `Gap`.
  public init?(_ text: String) {
    self.text = text
    var isRight = true
    _ = filled { name in
      isRight = isRight && Gap(rawValue: name) != nil
      return ""
    }
    if !isRight { return nil }
  }

  /// The text with each gap filled.
  public func filled(_ fill: (Gap) -> String) -> String {
    filled { Gap(rawValue: $0).map(fill) ?? "" }
  }

  private func filled(_ fill: (String) -> String) -> String {
    var result = ""
    var rest = text[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      result += rest[..<open]
      result += fill(String(rest[rest.index(after: open)..<close]))
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }
}

/// What a person is told: how many steps, and where, if that may be told.
public struct DeviceNotification: Sendable, Equatable {
  /// The snapshot of which it tells.
  public var state: DeviceState
  /// The place's name; nil when it may not be told or when there is none.
  public var place: String?
  /// The words.
  public var text: String

  /// Makes a notification of a state, in the words of a template.
  public init(_ state: DeviceState, name: String, place: String?, template: TextTemplate) {
    self.state = state
    self.place = place
    text = template.filled { gap in
      switch gap {
      case .steps: "\(state.sessionSteps)"
      case .todaySteps: "\(state.todaySteps)"
      case .totalSteps: "\(state.totalSteps)"
      case .distance: "\(Int(state.distance.rounded()))"
      case .activity: state.activity.rawValue
      case .place: place ?? ""
      case .name: name
      }
    }
  }

  /// The payload of the `notification` topic.
  public var json: [UInt8] {
    JSONText.object { text in
      text.member("v", 1)
      text.member("ts", moment: state.time)
      text.member("text", self.text)
      text.member("steps", state.sessionSteps)
      text.member("today_steps", state.todaySteps)
      text.member("place", place)
    }
  }
}
