extension Client {
  /// What a client tells, in the order in which it happened.
  public enum Event: Sendable {
    /// The broker accepted us.
    case connected(Session)
    /// A connection ended, or an attempt at one failed; everything in flight was reported as failed before.
    ///
    /// `retryIn` is the wait before the next attempt, `nil` if there will be none.
    case disconnected(MQTTError, retryIn: Duration?)
    /// What became of a publish; each token is answered exactly once.
    case published(token: UInt64, PublishResult)
    /// What became of a subscription: the granted QoS, or the broker's refusal.
    case subscribed(filter: String, SubscribeResult)
    /// A message arrived.
    case message(IncomingMessage)
  }
}

/// What a broker said when it accepted us.
public struct Session: Sendable, Equatable {
  /// The broker.
  public let broker: Broker
  /// Whether it still knew us, with our subscriptions and the messages it kept.
  public let isPresent: Bool
  /// How many publishes at QoS 1 may be unacknowledged at once: the broker's Receive Maximum, at most ``Client/window``.
  public let window: Int
  /// The largest packet that it takes, in bytes; `nil` if it does not say.
  public let maximumPacketSize: Int?
}

/// What became of a publish.
public enum PublishResult: Sendable, Equatable {
  /// The broker has it (QoS 1), or it was written to the connection (QoS 0).
  case acknowledged(ReasonCode)
  /// The broker, or the library in its place, does not want it; the connection stays.
  case refused(ReasonCode)
  /// The connection was lost, or there is none, or the window is full: nobody knows, so try again.
  case failed
}

/// What became of a subscription.
public enum SubscribeResult: Sendable, Equatable {
  /// Accepted; mosquitto says so even where its access rules let nothing through.
  case granted(QoS)
  /// Refused.
  case refused(ReasonCode)
}
