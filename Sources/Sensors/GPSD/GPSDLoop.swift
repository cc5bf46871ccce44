/// Keeps a conversation with gpsd going: connects, reads, and connects again when it is gone.
///
/// Runs on a thread that may block.
struct GPSDLoop {
  /// After so many seconds of silence the connection is made anew: a half-open one shows in no other way.
  static let patience = 60.0
  /// After so many seconds in which gpsd says only that its receiver does not know where it is, that is told.
  static let searchPatience = 60.0
  /// A receiver tells an accuracy later than its first positions, and not with each: for so many seconds the others
  /// are passed over.
  static let accuracyPatience = 10.0

  /// One conversation, as this loop sees it: a message, or nil when none came within some seconds.
  typealias Read = () throws(SensorError) -> GPSDReport?

  /// The name of the other end.
  let name: String
  /// Connects.
  let open: () throws(SensorError) -> Read
  /// Waits for some seconds; false when it is time to end.
  let wait: (Double) -> Bool
  /// The boot time, in seconds.
  let now: () -> Double
  /// Takes what happened.
  let emit: (LocationEvent) -> Void

  /// Runs until `wait` says that it is time to end.
  func run() {
    var backoff = Backoff()
    while wait(0) {
      do throws(SensorError) {
        let read = try open()
        emit(.found(name))
        try converse(read) { backoff.reset() }
      } catch {
        if wait(0) { emit(.lost(error)) }
      }
      guard wait(backoff.next()) else { return }
    }
  }

  private func converse(_ read: Read, _ heard: () -> Void) throws(SensorError) {
    var latest = now()
    var accurate = now()
    var located = now()
    var isTold = false
    while wait(0) {
      guard let report = try read() else {
        if now() - latest >= Self.patience {
          throw SensorError(.silent, "\(name): silent for \(Int(Self.patience)) s; has its receiver power and sky?")
        }
        continue
      }
      latest = now()
      switch report {
      case .position(let fix):
        heard()
        (located, isTold) = (now(), false)
        if fix.accuracy != nil { accurate = now() }
        if fix.accuracy != nil || now() - accurate >= Self.accuracyPatience { emit(.position(fix)) }
      case .noReceiver: emit(.lost(SensorError(.notFound, "\(name) has no receiver; see its DEVICES setting")))
      case .other: break
      }
      if !isTold, now() - located >= Self.searchPatience {
        isTold = true
        emit(
          .lost(SensorError(.silent, "\(name): no position for \(Int(Self.searchPatience)) s; has its receiver sky?")))
      }
    }
  }
}
