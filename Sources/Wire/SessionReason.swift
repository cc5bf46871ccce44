/// What began or ended a session.
public enum SessionReason: String, Sendable {
  /// Somebody's command.
  case command
  /// The wearer came into a region or left it.
  case region
  /// What is configured for a start.
  case configuration
}
