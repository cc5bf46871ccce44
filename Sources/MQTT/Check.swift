/// One thing that was tried at a broker, and what to do if it failed.
public struct Check: Sendable, Equatable {
  /// What was tried.
  public enum Step: String, Sendable, CaseIterable {
    /// Name, TCP, TLS and the broker's CONNACK.
    case connect
    /// User, password and client id.
    case credentials
    /// Publishing below the own prefix.
    case publish
    /// Receiving what was published there.
    case subscribe
  }

  /// How it went.
  public enum Outcome: Sendable, Equatable {
    /// It works; the text says what was found.
    case passed(String)
    /// It does not; the text says what to do.
    case failed(String)
    /// It could not be tried, since something before it failed.
    case skipped
  }

  /// What was tried.
  public let step: Step
  /// How it went.
  public let outcome: Outcome
}

extension Client {
  /// Tries a configuration out: connects once to each of its brokers in turn until one accepts, publishes a message
  /// that nobody keeps, and waits for it to come back.
  ///
  /// It uses the client id with `-check` behind it, so that it does not throw a running agent out, and leaves neither
  /// session nor will behind. A denied subscription is granted silently by mosquitto, and a denied publish looks
  /// acknowledged with 3.1.1: only a message that arrives proves either.
  ///
  /// - Parameters:
  ///   - configuration: what shall be tried.
  ///   - topic: a topic below the own prefix that nobody listens to.
  ///   - patience: how long to wait for the message to come back.
  /// - Returns: a result for each step, in their order.
  public static func check(
    _ configuration: Client.Configuration, topic: String, patience: Duration = .seconds(3)
  ) async -> [Check] {
    var trial = configuration
    trial.clientID += "-check"
    trial.cleanStart = true
    trial.sessionExpiry = 0
    trial.will = nil
    trial.subscriptions = [Subscription(topic)]
    let client = Client(trial)
    return await withTaskGroup { group in
      group.addTask { await client.run() }
      let result = await client.tryOut(topic: topic, patience: patience)
      await client.stop(within: .seconds(1))
      return result
    }
  }

  private func tryOut(topic: String, patience: Duration) async -> [Check] {
    var session: Session?
    var complaints: [String] = []
    var events = events.makeAsyncIterator()
    while session == nil {
      switch await events.next(isolation: nil) {
      case .connected(let accepted)?: session = accepted
      case .disconnected(let error, let retry)?:
        complaints.append(error.message)
        if retry != .zero { return Self.unconnected(error, complaints.joined(separator: "\n")) }
      case nil: return Self.unconnected(MQTTError(.stopped, "stopped"), "stopped")
      case .published?, .subscribed?, .message?: continue
      }
    }
    guard let session else { return [] }

    publish(OutgoingMessage(topic: topic, payload: Array("check".utf8)), token: 0)
    let alarm = Task { [self] in
      try? await Task.sleep(for: patience)
      if !Task.isCancelled { requestStopNow() }
    }
    defer { alarm.cancel() }
    var published: PublishResult?
    var hasArrived = false
    var refusal: ReasonCode?
    listening: while published == nil || !hasArrived {
      switch await events.next(isolation: nil) {
      case .published(_, let result)?:
        published = result
        if case .refused = result { break listening }
      case .subscribed(_, .refused(let reason))?: refusal = reason
      case .message(let message)?:
        message.acknowledge()
        hasArrived = true
      case .disconnected?, nil: break listening
      case .connected?, .subscribed(_, .granted)?: continue
      }
    }
    let user = configuration.username.map { "as user '\($0)'" } ?? "without a user"
    return [
      Check(step: .connect, outcome: .passed("\(session.broker) speaks \(configuration.version.name)")),
      Check(step: .credentials, outcome: .passed("accepted \(user)")),
      Check(step: .publish, outcome: Self.publishOutcome(published, hasArrived, topic)),
      Check(step: .subscribe, outcome: Self.subscribeOutcome(refusal, published, hasArrived, topic)),
    ]
  }

  private static func unconnected(_ error: MQTTError, _ words: String) -> [Check] {
    let isRefused = error.needsPatience
    return [
      Check(step: .connect, outcome: isRefused ? .passed("the broker answers") : .failed(words)),
      Check(step: .credentials, outcome: isRefused ? .failed(words) : .skipped),
      Check(step: .publish, outcome: .skipped), Check(step: .subscribe, outcome: .skipped),
    ]
  }

  private static func publishOutcome(_ result: PublishResult?, _ hasArrived: Bool, _ topic: String) -> Check.Outcome {
    switch result {
    case .acknowledged: .passed("may publish to \(topic)")
    case .refused(.notAuthorized):
      .failed("may not publish to \(topic): let the broker's access rules allow it to write there")
    case .refused(let reason): .failed("a publish to \(topic) is refused: \(reason)")
    case .failed, nil:
      hasArrived ? .passed("may publish to \(topic)") : .failed("no acknowledgement of a publish to \(topic)")
    }
  }

  private static func subscribeOutcome(
    _ refusal: ReasonCode?, _ published: PublishResult?, _ hasArrived: Bool, _ topic: String
  ) -> Check.Outcome {
    if hasArrived { return .passed("receives what is published to \(topic)") }
    if let refusal { return .failed("may not subscribe to \(topic): \(refusal)") }
    guard case .acknowledged = published else { return .skipped }
    return .failed(
      "what was published to \(topic) did not come back: let the broker's access rules allow it to read (and write) there"
    )
  }
}

extension Client.Configuration.ProtocolVersion {
  var name: String {
    switch self {
    case .v311: "MQTT 3.1.1"
    case .v5: "MQTT 5"
    }
  }
}
