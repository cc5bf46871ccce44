/// The figures that survive a restart.
struct Counts: Codable, Sendable, Equatable {
  /// What a session adds up to.
  struct Session: Codable, Sendable, Equatable {
    /// When it began, in ms since 1970.
    var start: Int64
    var steps = 0
    /// In m.
    var distance = 0.0
    /// Time on foot, in s.
    var activeSeconds = 0.0

    /// The same session, with what a later part of it adds.
    func joined(to later: Session) -> Session {
      var whole = self
      whole.steps += later.steps
      whole.distance += later.distance
      whole.activeSeconds += later.activeSeconds
      return whole
    }
  }

  /// Whether a session runs, and its figures; the last one's stay on show until the next begins.
  enum Tracking: Codable, Sendable, Equatable {
    case never
    case running(Session)
    case ended(Session)
  }

  /// Steps of the wearer's day.
  struct Today: Codable, Sendable, Equatable {
    /// The day since 1970 in the wearer's zone; nil before the first.
    var day: Int64?
    var steps = 0
    /// Those of them that were counted while nobody knew the date.
    var undated = 0

    /// Moves on to a later day.
    ///
    /// An earlier one (a journey west, a clock put right) keeps what was counted.
    mutating func turn(to now: Int64, synchronized: Bool) {
      guard synchronized else { return }
      if let day, now > day { steps = undated }
      day = now
      undated = 0
    }
  }

  var total = 0
  var tracking = Tracking.never
  var today = Today()

  var isRunning: Bool {
    switch tracking {
    case .running: true
    case .never, .ended: false
    }
  }

  /// The running session, or the last one.
  var session: Session? {
    switch tracking {
    case .never: nil
    case .running(let session), .ended(let session): session
    }
  }
}
