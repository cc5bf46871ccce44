import Motion

/// Reads accelerations out of messages: lines `t_ms,x,y,z` or `x,y,z`, one or more in each, or batches of Sensor Logger.
///
/// A value that knows nothing of where messages come from. One sender is heard at a time: another is taken when the
/// first has been silent.
public struct MessageReader: Sendable {
  /// The most bytes of a message that are looked at; one that is larger is left out.
  ///
  /// A batch of Sensor Logger has some 180 bytes a reading: a second of its six sensors of motion at 200 Hz fits.
  public static let largest = 256 << 10
  /// A batch whose number is lower than the last one's by so much came before.
  ///
  /// More are never on their way at once: one that is lower still is by an app that began to count anew.
  private static let repeated = 0...20
  /// So many different things are said of each kind, at most.
  private static let mostSaid = 8

  private let description: SensorDescription
  private let configuration: LineConfiguration
  private var decoder: SampleDecoder
  private var former = MalformedLines()
  private var dates: LineDates
  private var faults = SensorFaults()
  private var told = SensorFaults()
  private var sender: HeardSender<String>
  private var heard: Double?
  private var isLost = false
  /// Why it is lost, as it was said.
  private var reasons: Set<String> = []
  private var warned: Set<String> = []
  private var session: (id: String, message: Int)?
  private var source: SensorLoggerBatch.Source?

  /// Makes a reader of what is described, at a boot time in seconds.
  public init(_ description: SensorDescription, lines: LineConfiguration, now: Double) {
    self.description = description
    configuration = lines
    decoder = SampleDecoder(lines.format)
    dates = LineDates(rate: lines.rate)
    sender = HeardSender(silence: lines.silence)
    heard = now
  }

  /// Who sent a message: the device that a batch of Sensor Logger names; nil for lines.
  public static func device(in payload: [UInt8]) -> String? {
    payload.count <= largest && isBatch(payload) ? SensorLoggerBatch.decode(payload)?.deviceId : nil
  }

  /// Takes a message that arrived from a topic at a boot time in seconds, and says what is in it.
  public mutating func take(_ payload: [UInt8], from topic: String, now: Double) -> [SensorEvent] {
    guard !payload.isEmpty else { return [] }
    guard payload.count <= Self.largest else { return malformed(payload) }
    var batch: SensorLoggerBatch?
    if Self.isBatch(payload) {
      guard let decoded = SensorLoggerBatch.decode(payload) else { return malformed(payload) }
      batch = decoded
    }
    let name = batch?.deviceId.map { "\(topic) (\($0))" } ?? topic
    switch sender.turn(of: name, now: now) {
    case .same: break
    case .leftOut(let heard):
      return warn(
        "messages of \(name) are left out while \(heard) sends; give each an agent or a device of its own")
    case .another(let isFirst): begin(isFirst: isFirst)
    }
    var samples = batch.map { self.samples(of: $0) } ?? lines(payload)
    guard !samples.isEmpty else { return tellFaults() }
    sender.hear(name, now: now)
    // The last of a message was taken just now, the first a batch before.
    let isStamped = batch != nil || decoder.isStamped ?? true
    dates.date(&samples, isStamped: isStamped, inHurry: false, now: now, endingNow: true)
    var events = tellFaults()
    if isLost { events.append(.found(description)) }
    (isLost, reasons) = (false, [])
    heard = now
    events += Chunks(samples).map { .samples($0) }
    let pressures = decoder.pressures.map { PressureSample(time: samples[$0.index].time, pressure: $0.pascals) }
    decoder.pressures.removeAll(keepingCapacity: true)
    return pressures.isEmpty ? events : events + [.pressures(pressures)]
  }

  /// Says, where that is so, that nothing has come for too long; to be asked now and then.
  public mutating func tick(now: Double) -> [SensorEvent] {
    guard !isLost, let heard, now - heard >= configuration.silence / .seconds(1) else { return [] }
    isLost = true
    return [.lost(SensorError(.silent, "\(description.name): no sample for \(configuration.silence)"))]
  }

  /// The way that messages come is interrupted: told once for each reason, also where it was silent before.
  public mutating func lose(_ reason: String) -> [SensorEvent] {
    isLost = true
    guard reasons.count < Self.mostSaid, reasons.insert(reason).inserted else { return [] }
    return [.lost(SensorError(.inputOutput, reason))]
  }

  private static func isBatch(_ payload: [UInt8]) -> Bool {
    payload.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "{")
  }

  /// Begins with a sender that was not heard before.
  private mutating func begin(isFirst: Bool) {
    if !isFirst { dates.restart() }
    former = former + decoder.malformed
    decoder = SampleDecoder(configuration.format)
    (session, source) = (nil, nil)
  }

  private mutating func lines(_ payload: [UInt8]) -> [AccelerometerSample] {
    var samples: [AccelerometerSample] = []
    let bytes = payload.last == UInt8(ascii: "\n") ? payload : payload + [UInt8(ascii: "\n")]
    decoder.decode(bytes.span, into: &samples)
    return samples
  }

  /// The samples of a batch that is newer than all before it, of the best kind that this device sends.
  private mutating func samples(of batch: SensorLoggerBatch) -> [AccelerometerSample] {
    if let message = batch.messageId {
      let id = batch.sessionId ?? ""
      if let session, session.id == id {
        let (behind, isFar) = session.message.subtractingReportingOverflow(message)
        if !isFar, Self.repeated.contains(behind) {
          faults.failed += 1
          return []
        }
      }
      session = (id, message)
    }
    guard let found = batch.source else { return [] }
    source = min(source ?? found, found)
    return batch.samples(from: source ?? found)
  }

  private mutating func malformed(_ payload: [UInt8]) -> [SensorEvent] {
    let beginning = Array(payload.prefix(60))
    decoder.decodeOverlong(beginning.span)
    return tellFaults()
  }

  private mutating func tellFaults() -> [SensorEvent] {
    faults.malformed = former + decoder.malformed
    faults.missing = dates.missing
    guard faults != told else { return [] }
    told = faults
    return [.faults(faults)]
  }

  private mutating func warn(_ text: String) -> [SensorEvent] {
    warned.count < Self.mostSaid && warned.insert(text).inserted ? [.warning(text)] : []
  }
}
