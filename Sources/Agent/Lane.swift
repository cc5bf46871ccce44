internal import Wire

/// What leads to the broker: a lane for each topic of the device, since access rules and limits differ by topic.
enum Lane: String, Sendable, CaseIterable {
  case availability, info, discovery, state, response, steps, event, history, notification

  /// The lane of a live record.
  init(of record: Record) {
    switch record.kind {
    case .steps: self = .steps
    case .event: self = .event
    }
  }
}
