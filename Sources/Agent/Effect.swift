public import Motion
public import Wire

/// Everything that the machine can ask for.
public enum Effect: Sendable, Equatable {
  /// Open the sensor, and keep trying.
  case openSensor
  /// Close the sensor; what the engine held back was asked for before.
  case closeSensor
  /// Have the engine give what it holds back (`Pedometer.finish`), hand it in, then `Event.motionFinished`.
  case finishMotion
  /// Tell the engine about its wearer.
  case configureMotion(Pedometer.Configuration)
  /// Measure, then hand in `Event.vitals`.
  case takeVitals
  /// Hand a publication to the broker.
  case publish(Publication)
  /// Acknowledge a message: what it asked for is on disk.
  case confirm(message: UInt64)
  /// Ask the journal; requests are served in order, each completes with one `Event.journal`.
  case journal(JournalRequest)
  /// Write a line to the log.
  case log(LogLevel, String)
  /// Close everything and return; the last effect.
  case leave
}

/// How much a line of the log matters.
public enum LogLevel: Sendable {
  /// For whoever looks for a fault.
  case debug
  /// The course of things.
  case info
  /// Something is not as it should be, and the agent goes on.
  case warning
  /// Something failed.
  case error
}

/// A message to be sent.
public struct Publication: Sendable, Equatable {
  /// Its number, by which `BrokerReport.finished` names it.
  public var number: UInt64
  /// Where it goes.
  public var topic: String
  /// Its bytes.
  public var payload: [UInt8]
  /// 1, or 0 for what nobody waits for; only QoS 1 is reported as finished.
  public var qos: Int
  /// Whether the broker keeps it.
  public var retain: Bool
  /// MQTT 5: what an answer repeats of its command.
  public var correlation: [UInt8]

  /// Makes a publication of QoS 1.
  public init(
    number: UInt64 = 0, topic: String, payload: [UInt8], qos: Int = 1, retain: Bool = false, correlation: [UInt8] = []
  ) {
    self.number = number
    self.topic = topic
    self.payload = payload
    self.qos = qos
    self.retain = retain
    self.correlation = correlation
  }
}

/// What can be asked of the journal.
public enum JournalRequest: Sendable, Equatable {
  /// Write all of it in one transaction, or nothing.
  case commit(Commit)
  /// The unacknowledged records with `after` < seq ≤ `upTo`, at most `limit`, in order of seq.
  case page(after: Int64, upTo: Int64, limit: Int)
  /// The sums of an interval of wall time in ms since 1970, in buckets of so many ms or in one.
  case sums(from: Int64, to: Int64, bucket: Int64?)
  /// The body of the answer kept for a command's id.
  case answer(id: String)
  /// What should be merged or dropped at a wall time in ms since 1970 (nil: nobody knows it), sparing what is under way.
  case trim(now: Int64?, sparing: [ClosedRange<Int64>])
}

/// One transaction of the journal.
public struct Commit: Sendable, Equatable {
  /// Its number, by which it is reported as committed.
  public var number: UInt64
  /// New records, in order of seq.
  public var records: [Record]
  /// The machine's whole memory, replacing the last; nil leaves that, and what it lacks is in the records since.
  public var memory: [UInt8]?
  /// Answers to keep, of which the journal holds the last 256.
  public var answers: [Answer]
  /// Ranges of seq that the broker acknowledged, of `records` too.
  public var acknowledged: [ClosedRange<Int64>]
  /// A trim to carry out; its merged records and the event that tells of it are among `records`.
  public var trim: Trim?
  /// Wall time less monotonic time of this boot, in ms, once the clock is synchronised; nil when nothing changed.
  public var clockOffset: Int64?

  /// Makes a transaction.
  public init(
    number: UInt64, records: [Record], memory: [UInt8]?, answers: [Answer], acknowledged: [ClosedRange<Int64>],
    trim: Trim? = nil, clockOffset: Int64? = nil
  ) {
    self.number = number
    self.records = records
    self.memory = memory
    self.answers = answers
    self.acknowledged = acknowledged
    self.trim = trim
    self.clockOffset = clockOffset
  }
}

/// An answer to keep, so that a repeated id gets the same words.
public struct Answer: Sendable, Equatable {
  /// The command's id.
  public var id: String
  /// `Response.body`.
  public var body: [UInt8]

  /// Makes an answer to keep.
  public init(id: String, body: [UInt8]) {
    self.id = id
    self.body = body
  }
}

/// Records that must go for the journal to keep within its bounds.
///
/// Nothing happens before a commit says so.
public struct Trim: Sendable, Equatable {
  /// The numbers of the records that go, ascending.
  public var ranges: [ClosedRange<Int64>]
  /// How many records go; all of them are unacknowledged.
  public var records: Int
  /// The steps in the records that go.
  public var steps: Int
  /// What takes their place, without seq and body; empty when they are dropped.
  public var merged: [Record]
  /// The steps that no record tells of any more.
  public var stepsDropped: Int { steps - merged.reduce(0) { $0 + $1.steps } }

  /// Makes a trim.
  public init(ranges: [ClosedRange<Int64>], records: Int, steps: Int, merged: [Record] = []) {
    self.ranges = ranges
    self.records = records
    self.steps = steps
    self.merged = merged
  }
}

/// What an interval of the history adds up to.
public struct Sums: Sendable, Equatable {
  /// The interval's start, in ms since 1970.
  public var start: Int64
  /// The interval's end, in ms since 1970.
  public var end: Int64
  /// Steps counted.
  public var steps: Int
  /// Distance, in m.
  public var distance: Double
  /// Time on foot, in s.
  public var activeSeconds: Double
  /// Floors climbed; nil without a barometer.
  public var floorsAscended: Int?
  /// Floors descended; nil without a barometer.
  public var floorsDescended: Int?

  /// Makes the sums of an interval in ms since 1970.
  public init(start: Int64, end: Int64, steps: Int = 0, distance: Double = 0, activeSeconds: Double = 0) {
    self.start = start
    self.end = end
    self.steps = steps
    self.distance = distance
    self.activeSeconds = activeSeconds
  }
}
