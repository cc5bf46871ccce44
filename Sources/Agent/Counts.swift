internal import Wire

/// The figures that survive a restart.
struct Counts: Codable, Sendable, Equatable {
  /// What a session adds up to.
  struct Session: Codable, Sendable, Equatable {
    /// When it began, in ms since 1970.
    var start: Int64
    /// When it began by the monotonic clock, while nobody knows the date.
    var undated: Undated?
    var steps = 0
    /// In m.
    var distance = 0.0
    /// Time on foot, in s.
    var activeSeconds = 0.0
    /// Floors; nil without a barometer.
    var floorsAscended: Int?
    var floorsDescended: Int?

    /// The same session, with what a later part of it adds.
    func joined(to later: Session) -> Session {
      var whole = self
      whole.steps += later.steps
      whole.distance += later.distance
      whole.activeSeconds += later.activeSeconds
      if let more = later.floorsAscended { whole.floorsAscended = (whole.floorsAscended ?? 0) + more }
      if let more = later.floorsDescended { whole.floorsDescended = (whole.floorsDescended ?? 0) + more }
      return whole
    }
  }

  /// A moment that can be dated once the clock of its boot is right.
  struct Undated: Codable, Sendable, Equatable {
    var boot: String
    /// In ms.
    var monotonic: Int64
  }

  /// Whether a session runs, and its figures; the last one's stay on show until the next begins.
  enum Tracking: Codable, Sendable, Equatable {
    case never
    case running(Session)
    case ended(Session)
  }

  var total = 0
  /// What may have been told as the total before an interruption; nil if none took what was told.
  var floor: Int?
  var tracking = Tracking.never
  var today = Today()

  /// The total as it is told: it never goes down, and stands still where steps were lost that were told.
  var toldTotal: Int { max(total, floor ?? 0) }

  /// Takes into account that steps may have been told which were lost.
  mutating func loseWhatLagged() { floor = max(floor ?? 0, total + Lag.steps) }

  /// Adds the steps of records that were written after these figures.
  mutating func add(_ records: [Record]) {
    for record in records where record.kind == .steps {
      total += record.steps
      if case .running(let session) = tracking {
        let later = Session(
          start: session.start, steps: record.steps, distance: record.distance, activeSeconds: record.activeSeconds,
          floorsAscended: record.floorsAscended, floorsDescended: record.floorsDescended)
        tracking = .running(session.joined(to: later))
      }
      today.count(record)
    }
  }

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
