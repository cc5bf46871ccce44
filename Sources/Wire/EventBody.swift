public import Motion

/// What an event record says: its type, and what belongs to that type.
public enum EventBody: Sendable, Equatable {
  /// A session began, with the steps it was credited from before.
  case started(reason: SessionReason, steps: Int)
  /// A session ended, with its steps.
  case stopped(reason: SessionReason, steps: Int)
  /// Walking ended, with the session's steps so far.
  case pause(steps: Int)
  /// Walking began again.
  case resume(steps: Int)
  /// The activity changed.
  case activity(MotionActivity.Kind, MotionActivity.Confidence)
  /// The sensor went away.
  case sensorLost(reason: String)
  /// The sensor came back.
  case sensorFound(sensor: String)
  /// The signal became worse than it was.
  case sensorDegraded(faults: [SignalFault])
  /// The signal is good again.
  case sensorRestored
  /// The barometer went away; floors are not counted until it is back.
  case barometerLost(reason: String)
  /// The barometer came back.
  case barometerFound(sensor: String)
  /// The wall clock was moved, by so many ms.
  case clockStep(milliseconds: Int64)
  /// Records were merged or dropped to keep the journal within its bounds: exactly those of the ranges, ascending.
  case outboxTrimmed(ranges: [ClosedRange<Int64>], steps: Int, merged: Bool)
  /// The broker refused a record for its size or form; it will not be sent again.
  case recordParked(seq: Int64, steps: Int, reason: String)
  /// A damaged journal was set aside under a name.
  case journalDamaged(file: String)
  /// A new epoch began, for a reason: totals may be lower than they were.
  case epochStarted(reason: String)
  /// Steps or events that were never committed because the disk refused them for too long.
  case recordsLost(count: Int, steps: Int)
  /// The wearer entered a region; `determined` if they were found in it when nobody knew where they were before. The
  /// position is there only where it may leave the device.
  case regionEntered(String, determined: Bool, Position?)
  /// The wearer left a region.
  case regionLeft(String, Position?)

  /// The type's name on the wire.
  public var name: String {
    switch self {
    case .started: "started"
    case .stopped: "stopped"
    case .pause: "pause"
    case .resume: "resume"
    case .activity: "activity"
    case .sensorLost: "sensor_lost"
    case .sensorFound: "sensor_found"
    case .sensorDegraded: "sensor_degraded"
    case .sensorRestored: "sensor_restored"
    case .barometerLost: "barometer_lost"
    case .barometerFound: "barometer_found"
    case .clockStep: "clock_step"
    case .outboxTrimmed: "outbox_trimmed"
    case .recordParked: "record_parked"
    case .journalDamaged: "journal_damaged"
    case .epochStarted: "epoch_started"
    case .recordsLost: "records_lost"
    case .regionEntered: "region_entered"
    case .regionLeft: "region_left"
    }
  }

  /// The JSON members of a record's body.
  public var members: [UInt8] {
    JSONText.members { text in
      text.member("event_type", name)
      switch self {
      case .started(let reason, let steps), .stopped(let reason, let steps):
        text.member("reason", reason.rawValue)
        text.member("steps", steps)
      case .pause(let steps), .resume(let steps):
        text.member("steps", steps)
      case .activity(let kind, let confidence):
        text.member("activity", kind.rawValue)
        text.member("confidence", confidence.rawValue)
      case .sensorLost(let reason), .barometerLost(let reason), .epochStarted(let reason):
        text.member("reason", reason)
      case .sensorFound(let sensor), .barometerFound(let sensor):
        text.member("sensor", sensor)
      case .sensorDegraded(let faults): text.member("reason", faults.text)
      case .sensorRestored: break
      case .clockStep(let milliseconds):
        text.member("step_ms", milliseconds)
      case .outboxTrimmed(let ranges, let steps, let merged):
        text.member("first_seq", ranges.first?.lowerBound)
        text.member("last_seq", ranges.last?.upperBound)
        text.member("ranges", ranges.map { [$0.lowerBound, $0.upperBound] })
        text.member("steps", steps)
        text.member("reason", merged ? "merged" : "dropped")
      case .recordParked(let seq, let steps, let reason):
        text.member("parked_seq", seq)
        text.member("steps", steps)
        text.member("reason", reason)
      case .journalDamaged(let file):
        text.member("file", file)
      case .recordsLost(let count, let steps):
        text.member("records", count)
        text.member("steps", steps)
      case .regionEntered(let region, let determined, let position):
        text.member("region", region)
        text.member("reason", determined ? "determined" : "crossing")
        Self.add(position, to: &text)
      case .regionLeft(let region, let position):
        text.member("region", region)
        text.member("reason", "crossing")
        Self.add(position, to: &text)
      }
    }
  }

  private static func add(_ position: Position?, to text: inout JSONText) {
    guard let position else { return }
    text.member("latitude", position.coordinate.latitude)
    text.member("longitude", position.coordinate.longitude)
    text.member("accuracy_m", position.accuracy?.decimals(1))
  }
}
