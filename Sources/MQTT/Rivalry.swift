/// Suspects another client with our id when the broker ends one young session after the other.
///
/// mosquitto 2.0.11 closes a session that another client takes over without saying why, with MQTT 5 too. Once suspected
/// we wait as long as if it had said so, so that the two do not throw each other out in quick succession.
struct Rivalry: Sendable {
  /// So many young sessions in a row are suspicious.
  private static let suspicious = 3
  /// How long a session must last for the suspicion to end: longer than two clients that both wait patiently leave each
  /// other alone.
  static let peace = Duration.seconds(600)

  /// How many sessions in a row were lost while young.
  private var young = 0

  /// Whether a rival is suspected, now that a session of some length was lost without a word.
  mutating func suspects(afterLosing lifetime: Duration, stable: Duration) -> Bool {
    let isSuspected = young >= Self.suspicious
    young = lifetime < (isSuspected ? max(stable, Self.peace) : stable) ? young + 1 : 0
    return young >= Self.suspicious
  }

  /// A session ended for a reason that explains it.
  mutating func forget() { young = 0 }
}
