internal import Glibc

/// The network thread of a client: connects to the brokers in turn, serves the connection, waits, and begins anew.
final class Network {
  private let client: Client
  private let configuration: Client.Configuration
  private let threads = Detached()
  private var backoff: Backoff
  private var generator = SystemRandomNumberGenerator()
  /// The broker to begin with: the last that accepted us, since it may hold our session.
  private var favourite = 0
  private var rivalry = Rivalry()

  init(_ client: Client) {
    self.client = client
    self.configuration = client.configuration
    self.backoff = Backoff(configuration.backoff)
  }

  /// Runs until the client is told to stop.
  func run() {
    if configuration.brokers.isEmpty {
      client.disconnected(MQTTError(.configuration, "no broker is configured: set mqtt.brokers"), retryIn: nil)
    }
    while client.stopRequest == nil, !configuration.brokers.isEmpty { tryAllBrokers() }
    client.end()
  }

  /// One round over the brokers, and the wait after it.
  private func tryAllBrokers() {
    let count = configuration.brokers.count
    var needsPatience = false
    for step in 0..<count {
      let index = (favourite + step) % count
      let visit = visit(configuration.brokers[index])
      let error = hinting(at: visit)
      needsPatience = needsPatience || error.needsPatience
      if visit.lifetime != nil { favourite = index }
      if client.stopRequest != nil { return client.disconnected(visit.error, retryIn: nil) }
      if visit.lifetime == nil, step < count - 1 {
        client.disconnected(error, retryIn: .zero)
        continue
      }
      let wait = backoff.next(after: visit.lifetime ?? .zero, needsPatience: needsPatience, using: &generator)
      client.disconnected(error, retryIn: wait)
      return pause(until: .now + wait)
    }
  }

  /// The error, or the suspicion that another client uses our id.
  private func hinting(at visit: Visit) -> MQTTError {
    guard let lifetime = visit.lifetime else { return visit.error }
    guard visit.error.code == .connectionLost else {
      rivalry.forget()
      return visit.error
    }
    guard rivalry.suspects(afterLosing: lifetime, stable: configuration.backoff.stable) else { return visit.error }
    return MQTTError(
      .takenOver,
      visit.error.message + "; again and again: does another client use the id '\(configuration.clientID)'?")
  }

  /// How a visit to one broker ended, and how long the session lasted if there was one.
  private struct Visit {
    let error: MQTTError
    let lifetime: Duration?
  }

  private func visit(_ broker: Broker) -> Visit {
    let (client, configuration) = (client, configuration)
    let targets: [Target]
    switch detached({ () throws(MQTTError) in try client.resolve(broker) }) {
    case .success(let found): targets = found
    case .failure(let error): return Visit(error: error, lifetime: nil)
    }
    var last = MQTTError(.hostNotFound, "\(broker): the name '\(broker.host)' has no address: check name and DNS")
    for target in targets {
      let opened = detached { () throws(MQTTError) in
        let connection = try Connection(configuration, to: target, inbox: client)
        connection.open()
        return Handover(connection)
      }
      switch opened {
      case .failure(let error): last = error
      case .success(let handover):
        let visit = Serving(handover.connection, for: client).run()
        if visit.lifetime != nil { return Visit(error: visit.error, lifetime: visit.lifetime) }
        last = visit.error
      }
      // Another address of the same broker would say the same.
      if last.needsPatience || client.stopRequest != nil { break }
    }
    return Visit(error: last, lifetime: nil)
  }

  /// Runs what may block on a thread of its own, and waits for it no longer than a connection may take.
  private func detached<Value: Sendable>(
    _ body: @escaping @Sendable () throws(MQTTError) -> Value
  ) -> Result<Value, MQTTError> {
    let client = client
    guard let slot = threads.start(body, then: { client.wake.signal() }) else {
      return .failure(MQTTError(.timedOut, "earlier attempts still wait for the system: check the network and DNS"))
    }
    let deadline = ContinuousClock.now + configuration.deadlines.connect
    while true {
      if let result = slot.take() { return result }
      if client.stopRequest != nil { return .failure(MQTTError(.stopped, "stopped while connecting")) }
      guard ContinuousClock.now < deadline else {
        return .failure(
          MQTTError(.timedOut, "no answer within \(configuration.deadlines.connect): check address, port and firewall"))
      }
      wait(until: deadline)
    }
  }

  private func pause(until deadline: ContinuousClock.Instant) {
    while client.stopRequest == nil, ContinuousClock.now < deadline { wait(until: deadline) }
  }

  private func wait(until deadline: ContinuousClock.Instant) {
    var descriptor = pollfd(fd: client.wake.descriptor, events: Int16(POLLIN), revents: 0)
    _ = unsafe poll(&descriptor, 1, CInt(clamping: ContinuousClock.now.duration(to: deadline).milliseconds))
    client.wake.clear()
  }
}
