public import Motion

/// One line of the journal: what happened, when by the monotonic clock, and the sums that queries need.
///
/// Kept as typed columns; `body` holds the remaining JSON members exactly as they are sent, so a record that is
/// replayed differs from the live one only in `start`, `end`, `ts`, `clock` and `historical`.
public struct Record: Sendable, Equatable {
  /// What a record tells.
  public enum Kind: String, Sendable {
    /// Steps of an interval.
    case steps
    /// Something that happened at a moment.
    case event
  }

  /// The record's number in its epoch, from 1, never reused once it was committed.
  public var seq: Int64
  /// What it tells.
  public var kind: Kind
  /// The boot id under which the monotonic times hold.
  public var boot: String
  /// When it began, in ms on the boot-time clock; for an event equal to the end.
  public var monotonicStart: Int64
  /// When it ended, in ms on the boot-time clock.
  public var monotonicEnd: Int64
  /// When it began by the wall clock of then, in ms since 1970.
  public var wallStart: Int64
  /// When it ended by the wall clock of then, in ms since 1970.
  public var wallEnd: Int64
  /// Whether the wall clock was synchronised when the record was made.
  public var synchronized: Bool
  /// Steps counted; of an event, those that it names as dropped, lost or parked, so that they are never unnamed.
  public var steps: Int
  /// Distance walked, in m.
  public var distance: Double
  /// Time on foot, in s.
  public var activeSeconds: Double
  /// Floors climbed; nil without a barometer.
  public var floorsAscended: Int?
  /// Floors descended; nil without a barometer.
  public var floorsDescended: Int?
  /// The step records that this one stands for: who has some of them forgets them when this one arrives.
  public var replaces: ClosedRange<Int64>?
  /// The remaining JSON members, without braces (`StepsBody`, `EventBody`).
  public var body: [UInt8]

  /// Makes a record of a moment; what it sums is 0 until set.
  public init(
    seq: Int64 = 0, kind: Kind, boot: String, monotonicStart: Int64, monotonicEnd: Int64, wallStart: Int64,
    wallEnd: Int64, synchronized: Bool, steps: Int = 0, distance: Double = 0, activeSeconds: Double = 0,
    floorsAscended: Int? = nil, floorsDescended: Int? = nil, replaces: ClosedRange<Int64>? = nil,
    body: [UInt8] = []
  ) {
    self.seq = seq
    self.kind = kind
    self.boot = boot
    self.monotonicStart = monotonicStart
    self.monotonicEnd = monotonicEnd
    self.wallStart = wallStart
    self.wallEnd = wallEnd
    self.synchronized = synchronized
    self.steps = steps
    self.distance = distance
    self.activeSeconds = activeSeconds
    self.floorsAscended = floorsAscended
    self.floorsDescended = floorsDescended
    self.replaces = replaces
    self.body = body
  }

  /// How far the record's date can be trusted, and by how much it is to be moved.
  public struct Dating: Sendable, Equatable {
    /// What is added to the wall times of then, in ms.
    public var shift: Int64
    /// Whether the resulting date comes from a synchronised clock.
    public var synchronized: Bool

    /// Makes a dating; by default the date stays as it was written down.
    public init(shift: Int64 = 0, synchronized: Bool) {
      self.shift = shift
      self.synchronized = synchronized
    }
  }

  /// The record's payload: alone on `steps` or `event`, or inside a batch on `history`.
  public func json(epoch: String, dating: Dating, historical: Bool) -> [UInt8] {
    JSONText.object { text in
      text.member("v", 1)
      text.member("epoch", epoch)
      text.member("seq", seq)
      text.member("kind", kind.rawValue)
      switch kind {
      case .steps:
        text.member("boot", boot)
        text.member("mono_ms", monotonicEnd)
        text.member("start", moment: wallStart + dating.shift)
        text.member("end", moment: wallEnd + dating.shift)
        text.member("steps", steps)
        text.members(body)
        if let floorsAscended { text.member("floors_ascended", floorsAscended) }
        if let floorsDescended { text.member("floors_descended", floorsDescended) }
        if let replaces { text.member("replaces", [replaces.lowerBound, replaces.upperBound]) }
      case .event:
        text.members(body)
        text.member("boot", boot)
        text.member("mono_ms", monotonicEnd)
        text.member("ts", moment: wallEnd + dating.shift)
      }
      text.member("clock", dating.synchronized ? "synchronized" : "unsynchronized")
      text.member("historical", historical)
    }
  }

  /// How many bytes the payload has at least; told without writing it, which is dear.
  public var leastSize: Int { body.count + boot.utf8.count + 120 }

  /// The payload of the `history` topic: records that were written by `json(epoch:dating:historical:)`.
  public static func batch(_ records: [[UInt8]]) -> [UInt8] {
    JSONText.object { text in
      text.member("records", Raw(records))
    }
  }

  private struct Raw: JSONWritable {
    let values: [[UInt8]]
    init(_ values: [[UInt8]]) { self.values = values }
    func write(to text: inout JSONText) { text.array(values) { $1.raw($0) } }
  }
}

/// What a step record says besides its interval and its steps.
public struct StepsBody: Sendable, Equatable {
  /// Steps of the session so far.
  public var sessionSteps: Int
  /// Steps of the wearer's day so far.
  public var todaySteps: Int
  /// Steps of the epoch so far.
  public var totalSteps: Int
  /// Distance of the interval, in m.
  public var distance: Double
  /// Cadence at its end, in steps/s.
  public var cadence: Double
  /// Mean pace over its active time, in s/m; nil when the distance is unknown.
  public var pace: Double?
  /// The activity at its end.
  public var activity: MotionActivity.Kind

  /// Makes the body of a step record.
  public init(
    sessionSteps: Int, todaySteps: Int, totalSteps: Int, distance: Double, cadence: Double, pace: Double?,
    activity: MotionActivity.Kind
  ) {
    self.sessionSteps = sessionSteps
    self.todaySteps = todaySteps
    self.totalSteps = totalSteps
    self.distance = distance
    self.cadence = cadence
    self.pace = pace
    self.activity = activity
  }

  /// The body of a record that took the place of many: what held at a moment only is unknown.
  public static func merged(distance: Double, activeSeconds: Double) -> [UInt8] {
    JSONText.members { text in
      text.member("distance_m", distance.decimals(2))
      text.member("pace_s_per_m", distance > 0 ? (activeSeconds / distance).decimals(2) : nil)
      text.member("merged", true)
    }
  }

  /// The JSON members of a record's body.
  public var members: [UInt8] {
    JSONText.members { text in
      text.member("session_steps", sessionSteps)
      text.member("today_steps", todaySteps)
      text.member("total_steps", totalSteps)
      text.member("distance_m", distance.decimals(2))
      text.member("cadence_spm", (cadence * 60).decimals(1))
      text.member("pace_s_per_m", pace?.decimals(2))
      text.member("activity", activity.rawValue)
    }
  }
}
