/// How fast what was recorded is played.
public enum PlaybackSpeed: Sendable, Equatable {
  /// So many times as fast as it was taken; 1 is its real rate. Above 0.
  case times(Double)
  /// As fast as the consumer takes it.
  case max

  /// Which clock drives the consumer at this speed.
  var pace: SensorDescription.Pace { self == .times(1) ? .boot : .samples }
}
