/// What makes a signal worse than it could be.
public enum SignalFault: String, Sendable, CaseIterable {
  /// Too few samples arrive to count steps by.
  case slow
  /// Much of the time is without samples, or many of them cannot be used.
  case incomplete
  /// Many stamps repeat, go back or are bunched.
  case disordered
  /// Many samples lie at the end of the sensor's range.
  case saturated
  /// Samples come at more than twice the sensor's rate.
  case flooded
}

extension [SignalFault] {
  /// The faults as messages and the log name them.
  public var text: String { map(\.rawValue).joined(separator: ", ") }
}
