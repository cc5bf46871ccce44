public import Motion
public import Wire

extension Machine {
  /// Everything that can happen to the machine.
  public enum Event: Sendable, Equatable {
    /// The agent starts; the first event.
    case begin
    /// The deadline that the machine asked for has come.
    case tick
    /// The engine found something; its times are in s on the monotonic clock.
    case motion(MotionEvent)
    /// The engine gave everything that it held back, as `Effect.finishMotion` asked.
    case motionFinished
    /// The sensor reports about itself.
    case sensor(SensorReport)
    /// The barometer reports about itself, or gave a reading.
    case barometer(BarometerReport)
    /// The figures that `Effect.takeVitals` asked for.
    case vitals(Vitals)
    /// The broker's side reports.
    case broker(BrokerReport)
    /// The journal completed a request; completions come in the order of the requests.
    case journal(JournalReport)
    /// A source of positions reports.
    case location(LocationReport)
    /// The configuration was read again.
    case configured(Configuration)
    /// The agent is told to leave.
    case stop
  }
}

/// What the sensor says about itself.
public enum SensorReport: Sendable, Equatable {
  /// It was opened.
  case found(SensorIdentity)
  /// Something is wrong with what it gives, in words for a person.
  case warning(String)
  /// It went away or cannot be opened; the source goes on trying.
  case lost(SensorLoss)
  /// The recording ended; nothing more will come.
  case ended
}

/// What a barometer says about itself.
public enum BarometerReport: Sendable, Equatable {
  /// It gives readings.
  case found(name: String)
  /// It went away or cannot be read; the source goes on trying.
  case lost(reason: String)
  /// There is none.
  case absent
}

/// What there is to say about a sensor.
public struct SensorIdentity: Sendable, Equatable {
  /// Its name for people.
  public var name: String
  /// Its rate, in Hz; nil when unknown.
  public var rate: Double?
  /// Whether it gives samples all the time, as a device does; lines and recordings may pause.
  public var isSteady: Bool

  /// Makes a description.
  public init(name: String, rate: Double? = nil, isSteady: Bool = false) {
    self.name = name
    self.rate = rate
    self.isSteady = isSteady
  }
}

/// Why there is no sensor.
public struct SensorLoss: Sendable, Equatable {
  /// What happened, and what helps.
  public var reason: String
  /// Whether the agent lacks the right to read it.
  public var denied: Bool

  /// Makes a loss.
  public init(reason: String, denied: Bool = false) {
    self.reason = reason
    self.denied = denied
  }
}

/// Figures that only the outside knows.
public struct Vitals: Sendable, Equatable {
  /// Resident memory, in bytes; nil when it cannot be read.
  public var residentBytes: Int?
  /// Samples taken since the start.
  public var samples: Int
  /// Samples that could not be read or had to be dropped since the start.
  public var dropped: Int
  /// Samples that the device left out since the start.
  public var missing: Int
  /// What the engine says of the samples since the sensor was opened.
  public var quality: SignalQuality

  /// Makes vitals.
  public init(
    residentBytes: Int? = nil, samples: Int, dropped: Int, missing: Int = 0, quality: SignalQuality = SignalQuality()
  ) {
    self.residentBytes = residentBytes
    self.samples = samples
    self.dropped = dropped
    self.missing = missing
    self.quality = quality
  }
}

/// What comes from the broker's side.
public enum BrokerReport: Sendable, Equatable {
  /// Connected and subscribed; publications may go out.
  case connected(Connection)
  /// The connection ended, or could not be made.
  case disconnected(reason: String)
  /// The broker refuses a subscription: commands on that topic will not arrive.
  case subscriptionRefused(topic: String, reason: String)
  /// A publication of QoS 1 is done with.
  case finished(publication: UInt64, PublishOutcome)
  /// A message came on a subscribed topic. It stays unacknowledged until `Effect.confirm`.
  case message(Message)
}

/// The terms of a connection.
public struct Connection: Sendable, Equatable {
  /// How many publications of QoS 1 the broker wants in flight at most.
  public var receiveMaximum: Int
  /// The largest packet it takes, in bytes; nil without a limit.
  public var maximumPacket: Int?
  /// What an operator must hear of at once, such as another client with our id; nil if all is well.
  public var alarm: String?

  /// Makes terms; MQTT's own defaults unless said otherwise.
  public init(receiveMaximum: Int = 65_535, maximumPacket: Int? = nil, alarm: String? = nil) {
    self.receiveMaximum = receiveMaximum
    self.maximumPacket = maximumPacket
    self.alarm = alarm
  }
}

/// How a publication ended.
public enum PublishOutcome: Sendable, Equatable {
  /// The broker has it.
  case acknowledged
  /// The broker refuses it for its size or form: it never will take it.
  case unacceptable(reason: String)
  /// The broker refuses it for now or for want of rights: it may take it later.
  case denied(reason: String)
  /// The connection ended first; nobody knows.
  case failed
}

/// A message that came in.
public struct Message: Sendable, Equatable {
  /// A number of the port's, by which `Effect.confirm` names the message.
  public var number: UInt64
  /// Where it came in.
  public var topic: String
  /// Its bytes; the port may cut what is longer than `Command.maximumSize` + 1.
  public var payload: [UInt8]
  /// Whether it is the broker's stored copy.
  public var retained: Bool
  /// MQTT 5: how long it holds from when it came, in ms; nil for ever.
  public var expiry: Int64?
  /// MQTT 5: where the answer is wanted.
  public var responseTopic: String?
  /// MQTT 5: what the answer must repeat.
  public var correlation: [UInt8]

  /// Makes a message.
  public init(
    number: UInt64, topic: String, payload: [UInt8], retained: Bool = false, expiry: Int64? = nil,
    responseTopic: String? = nil, correlation: [UInt8] = []
  ) {
    self.expiry = expiry
    self.number = number
    self.topic = topic
    self.payload = payload
    self.retained = retained
    self.responseTopic = responseTopic
    self.correlation = correlation
  }
}

/// What the journal made of a request.
public enum JournalReport: Sendable, Equatable {
  /// The commit is on disk.
  case committed(UInt64)
  /// The commit is not on disk, no part of it.
  case commitFailed(UInt64, reason: String)
  /// The journal was opened, or opened again, instead of the commit, which is not on disk.
  case opened(UInt64, Restored)
  /// The commit is refused for its trim, no part of it is on disk; without the trim the disk takes it.
  case trimRefused(UInt64, reason: String)
  /// The records that a page request found, in order of `seq`.
  case page([Record])
  /// The sums that a query found, a bucket each.
  case sums([Sums])
  /// The body of the answer that an id got before; nil if it got none.
  case answer([UInt8]?)
  /// What has to go for the journal to keep within its bounds; nil when it does.
  case trim(Trim?)
  /// A page, query, answer or trim request could not be served.
  case failed(JournalRequest, reason: String)
}
