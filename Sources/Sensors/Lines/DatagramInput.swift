import Motion

/// The lines of datagrams, from one sender at a time.
struct DatagramInput: LineInput, ~Copyable {
  /// The longest datagram of UDP, in bytes.
  private static let longest = 65_535
  /// After so many datagrams at once the sender is in a hurry.
  private static let hurry = 64

  private let socket: DatagramSocket
  private let configuration: LineConfiguration
  private let now: @Sendable () -> Double
  private var buffer = [UInt8](repeating: 0, count: longest + 1)  // the last byte is kept for a line feed
  private var decoder: SampleDecoder
  /// The datagram that was decoded last.
  private var latest: [UInt8] = []
  private var former = MalformedLines()
  private var sender: HeardSender<SenderAddress>
  private(set) var warning: String?

  /// Reads from a socket; `now` is the boot time, in seconds.
  init(_ socket: consuming DatagramSocket, _ configuration: LineConfiguration, now: @escaping @Sendable () -> Double) {
    self.socket = socket
    self.configuration = configuration
    self.now = now
    decoder = SampleDecoder(configuration.format)
    sender = HeardSender(silence: configuration.silence)
  }

  var file: CInt { socket.raw }
  var malformed: MalformedLines { former + decoder.malformed }
  var isStamped: Bool { decoder.isStamped ?? true }
  var pressures: [RecordingReader.Pressure] { decoder.pressures }

  mutating func read(into samples: inout [AccelerometerSample]) throws(SensorError) -> LineReading {
    samples.removeAll(keepingCapacity: true)
    decoder.pressures.removeAll(keepingCapacity: true)
    for _ in 0..<Self.hurry {
      guard let (count, address) = try socket.receive(into: &buffer, limit: Self.longest) else { return .all }
      let now = now()
      let turn = sender.turn(of: address, now: now)
      switch turn {
      case .same: break
      case .leftOut(let heard):
        warning = "datagrams of \(address) are left out while \(heard) sends; give each a port of its own"
        continue
      case .another:
        former = malformed
        decoder = SampleDecoder(configuration.format)
      }
      // Some send each several times, so that one arrives: its time tells that it is no other.
      if decoder.isStamped == true, latest.elementsEqual(buffer[..<count]) { continue }
      latest.replaceSubrange(latest.startIndex..., with: buffer[..<count])
      let before = samples.count
      decode(count, into: &samples)
      guard samples.count > before else { continue }
      sender.hear(address, now: now)
      // What the former sender sent before is older than the silence: there is none of it here.
      if case .another(isFirst: false) = turn { return .another }
    }
    return .much
  }

  /// Decodes the datagram in the buffer, whose last line need not have an end.
  private mutating func decode(_ count: Int, into samples: inout [AccelerometerSample]) {
    guard count > 0 else { return }
    buffer[count] = UInt8(ascii: "\n")
    let end = buffer[count - 1] == UInt8(ascii: "\n") ? count : count + 1
    var decoder = decoder  // a copy, since the bytes are borrowed from self
    decoder.decode(buffer.span.extracting(0..<end), into: &samples)
    self.decoder = decoder
  }
}
