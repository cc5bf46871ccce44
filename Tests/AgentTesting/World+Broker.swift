public import Agent
internal import Wire

extension World {
  /// A publication under way.
  public struct InFlight: Sendable {
    /// What was sent.
    public var publication: Publication
    /// What the broker made of it; nil while it has not reached it.
    public var outcome: PublishOutcome?
    /// Its payload, if it is JSON.
    var json: JSONValue?
  }

  mutating func publish(_ publication: Publication) -> [Machine.Event] {
    published.append(publication)
    // Home Assistant's long discovery and the births tell nothing that is followed here.
    let isFollowed =
      configuration.topics.discovery != publication.topic && publication.topic != configuration.topics.info
    let json = isFollowed ? JSONValue(quick: publication.payload) : nil
    if isDying {
      inFlight.append(InFlight(publication: publication, json: json))
      return []
    }
    guard isConnected else {
      faults.append("published \(publication.topic) without a connection")
      return []
    }
    inspector.see(publication, json, topics: configuration.topics)
    if publication.topic == configuration.topics.notification {
      if let told, now.monotonic - told < 10_000 {
        faults.append("a person was told twice in \(now.monotonic - told) ms")
      }
      told = now.monotonic
    }
    if publication.qos == 0 {
      accept(publication, json)
      return []
    }
    inFlight.append(InFlight(publication: publication, json: json))
    if inFlight.count > 2 * window { faults.append("\(inFlight.count) handed over, \(2 * window) allowed") }
    guard !holdsAcknowledgements, inFlight.count <= window else { return [] }
    return [finish(inFlight.count - 1)]
  }

  /// Which of the waiting publications the broker can know of.
  private var sent: Range<Int> { 0..<min(window, inFlight.count) }

  private mutating func accept(_ publication: Publication, _ json: JSONValue?) {
    consumer.take(publication, json, topics: configuration.topics)
    if publication.retain { retained[publication.topic] = publication.payload }
  }

  /// Lets the broker take whatever was sent up to a publication: it sees them in the order in which they were sent.
  private mutating func take(upTo index: Int) {
    for index in 0...index where inFlight[index].outcome == nil {
      let publication = inFlight[index].publication
      let end = outcome(publication)
      inFlight[index].outcome = end
      if end == .acknowledged { accept(publication, inFlight[index].json) }
    }
  }

  private mutating func finish(_ index: Int) -> Machine.Event {
    take(upTo: index)
    let flight = inFlight.remove(at: index)
    let end = flight.outcome ?? .failed
    return .broker(.finished(publication: flight.publication.number, end))
  }

  /// Lets the broker end a waiting publication; what was sent before has reached it, too.
  public mutating func acknowledge(_ index: Int = 0) {
    if sent.contains(index) { send(finish(index)) }
  }

  /// Lets the broker end all waiting publications, and what follows from them.
  public mutating func acknowledgeAll() {
    while !inFlight.isEmpty { acknowledge() }
  }

  /// Lets the broker take waiting publications up to one, while their acknowledgements are under way.
  public mutating func takeWithoutAcknowledging(_ index: Int = 0) {
    if sent.contains(index) { take(upTo: index) }
  }

  /// Connects.
  public mutating func connect(_ connection: Connection = Connection()) {
    isConnected = true
    window = max(1, min(20, connection.receiveMaximum))
    inspector.connected()
    send(.broker(.connected(connection)))
  }

  /// Cuts the connection: whatever is in flight fails, before or after the machine hears of the cut itself.
  public mutating func disconnect(failingFirst: Bool = false) {
    if isConnected, !hasLeft { retained[configuration.topics.availability] = Array("offline".utf8) }
    isConnected = false
    isDying = true
    let failed = inFlight
    inFlight = []
    if failingFirst { fail(failed) }
    send(.broker(.disconnected(reason: "cut")))
    isDying = false
    if !failingFirst { fail(failed) }
    // What was handed over in between went nowhere.
    fail(inFlight)
    inFlight = []
  }

  private mutating func fail(_ flights: [InFlight]) {
    for flight in flights { send(.broker(.finished(publication: flight.publication.number, .failed))) }
  }

  /// The broker starts anew without what it had on disk: the retained messages are gone.
  public mutating func forgetRetained() { retained = [:] }

  /// Sends a command to the device's own topic; gives the message's number.
  @discardableResult
  public mutating func command(
    _ payload: String, retained: Bool = false, topic: String? = nil, responseTopic: String? = nil,
    correlation: [UInt8] = [], expiry: Int64? = nil
  ) -> UInt64 {
    messages += 1
    send(
      .broker(
        .message(
          Message(
            number: messages, topic: topic ?? configuration.topics.command, payload: Array(payload.utf8),
            retained: retained, expiry: expiry, responseTopic: responseTopic, correlation: correlation))))
    return messages
  }
}
