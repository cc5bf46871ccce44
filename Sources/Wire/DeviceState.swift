public import Motion

/// The latest snapshot: the one topic that Home Assistant reads.
///
/// Units as on the wire, unless said otherwise.
public struct DeviceState: Sendable, Equatable {
  /// What there is of the sensor.
  public enum Sensor: String, Sendable {
    /// It is open.
    case present
    /// It is closed, since nobody counts, or not open yet.
    case closed
    /// It is wanted and cannot be read.
    case absent
    /// The recording ended.
    case ended
  }

  /// When the snapshot was true, in ms since 1970.
  public var time: Int64
  /// The epoch in which `seq` and `totalSteps` hold.
  public var epoch: String
  /// The last record that the snapshot contains; one of steps may be on disk up to 5 s later.
  public var seq: Int64
  /// When the running session began, in ms since 1970; nil when none runs.
  public var sessionStart: Int64?
  /// Whether a session runs.
  public var started: Bool
  /// Whether the wearer is on foot.
  public var walking: Bool
  /// What the wearer is doing.
  public var activity: MotionActivity.Kind
  /// How far `activity` can be trusted.
  public var confidence: MotionActivity.Confidence
  /// Steps of the session, of the wearer's day and of the epoch.
  public var sessionSteps, todaySteps, totalSteps: Int
  /// Distance of the session, in m.
  public var distance: Double
  /// Cadence, in steps/s; 0 when standing.
  public var cadence: Double
  /// Pace now, in s/m; nil when standing.
  public var pace: Double?
  /// Mean pace over the session's time on foot, in s/m.
  public var activePace: Double?
  /// Floors climbed and descended in the session; nil without a barometer.
  public var floorsAscended, floorsDescended: Int?
  /// The ids of the regions in which the wearer is; nil when none are watched or nobody knows yet.
  public var regions: [String]?
  /// What there is of the sensor.
  public var sensor: Sensor
  /// Whether the wall clock is synchronised.
  public var synchronized: Bool

  /// Makes the snapshot of a device that has counted nothing.
  public init(time: Int64, epoch: String, seq: Int64) {
    self.time = time
    self.epoch = epoch
    self.seq = seq
    started = false
    walking = false
    activity = .unknown
    confidence = .low
    (sessionSteps, todaySteps, totalSteps) = (0, 0, 0)
    distance = 0
    cadence = 0
    sensor = .closed
    synchronized = false
  }

  /// The payload of the `state` topic.
  public var json: [UInt8] {
    JSONText.object { text in
      text.member("v", 1)
      text.member("ts", moment: time)
      text.member("epoch", epoch)
      text.member("seq", seq)
      text.member("started", started)
      text.member("session_start", moment: sessionStart)
      text.member("walking", walking)
      text.member("activity", activity.rawValue)
      text.member("confidence", confidence.rawValue)
      text.member("session_steps", sessionSteps)
      text.member("today_steps", todaySteps)
      text.member("total_steps", totalSteps)
      text.member("distance_m", distance.decimals(2))
      text.member("cadence_spm", (cadence * 60).decimals(1))
      text.member("pace_s_per_m", pace?.decimals(2))
      text.member("active_pace_s_per_m", activePace?.decimals(2))
      text.member("floors_ascended", floorsAscended)
      text.member("floors_descended", floorsDescended)
      text.member("regions", regions)
      text.member("sensor", sensor.rawValue)
      text.member("clock", synchronized ? "synchronized" : "unsynchronized")
    }
  }
}
