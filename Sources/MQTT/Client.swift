internal import Synchronization

/// An MQTT client that stays connected: one thread, one connection at a time, and a stream of what happens.
///
/// It keeps no messages but those that follow at once on the ones in flight. What it has when a connection ends is
/// reported as failed, and a publish without a connection fails at once: the caller's journal is the queue. ``run()``
/// drives it, ``stop(publishing:within:)`` ends it in good order. All calls return without waiting for the network.
public final class Client: Sendable {
  /// How many publishes at QoS 1 may be unacknowledged at once, at most; the broker may allow fewer.
  ///
  /// As many again are taken and wait their turn, so that each acknowledgement lets the next go out without anybody
  /// having to wake and make it.
  public static let window = 20

  /// What happens, for one consumer.
  ///
  /// Consume it all the time. Messages at QoS 0 are dropped while 256 events or 4 MiB of messages wait; nothing else
  /// ever is.
  public let events: AsyncStream<Client.Event>
  /// The same in bunches, for one who rather takes all at once that has come meanwhile; consume one of the two.
  public let bunches: AsyncStream<[Client.Event]>

  let configuration: Client.Configuration
  /// What a broker's name leads to; it may block.
  let resolve: @Sendable (Broker) throws(MQTTError) -> [Target]
  let wake = Wake()
  let mailbox: Mailbox
  private let state: Mutex<State>

  /// What the network thread is asked to do.
  enum Command: Sendable {
    case publish(OutgoingMessage, token: UInt64)
    case subscribe(Subscription)
  }

  /// How it shall end.
  struct Stop: Sendable {
    let last: [OutgoingMessage]
    let deadline: ContinuousClock.Instant
  }

  private struct State {
    enum Life { case idle, running, ended }
    var life = Life.idle
    var commands: [Command] = []
    /// The session's window; `nil` while there is no session.
    var window: Int?
    /// Publishes at QoS 1 that were taken and are not answered.
    var unanswered = 0
    var unsent = 0
    var subscriptions: [Subscription]
    var stop: Stop?
    var confirmation: Confirmation?
    var waiters: [CheckedContinuation<Void, Never>] = []

    /// Whether there is a session and room for a message, which then is on its way.
    mutating func takes(_ message: OutgoingMessage, token: UInt64) -> Bool {
      guard stop == nil, let window else { return false }
      switch message.qos {
      case .atLeastOnce:
        guard unanswered < 2 * window else { return false }
        unanswered += 1
      case .atMostOnce:
        guard unsent < Client.window else { return false }
        unsent += 1
      }
      commands.append(.publish(message, token: token))
      return true
    }
  }

  /// Makes a client; it does nothing before ``run()``.
  public convenience init(_ configuration: Client.Configuration) {
    self.init(configuration) { broker throws(MQTTError) in try Target.all(of: broker) }
  }

  init(_ configuration: Client.Configuration, resolve: @escaping @Sendable (Broker) throws(MQTTError) -> [Target]) {
    let mailbox = Mailbox()
    self.configuration = configuration
    self.resolve = resolve
    self.mailbox = mailbox
    self.events = AsyncStream { await mailbox.next(atMost: 1)?.first }
    self.bunches = AsyncStream { await mailbox.next(atMost: .max) }
    self.state = Mutex(State(subscriptions: configuration.subscriptions))
  }

  /// Connects, and connects again, until it is stopped or its task is cancelled; call it once.
  public func run() async {
    state.withLock { state in
      precondition(state.life == .idle, "a client runs once")
      state.life = .running
    }
    let isStarted = startThread { Network(self).run() }
    if !isStarted {
      mailbox.put(.disconnected(MQTTError(.library, "the system gives no thread for the connection"), retryIn: nil))
      end()
    }
    await withTaskCancellationHandler {
      await ended()
    } onCancel: {
      requestStopNow()
    }
  }

  /// Publishes a message; its ``Event/published(token:_:)`` follows, at once as failed if there is no session or no room.
  ///
  /// There is room for twice the session's window.
  ///
  /// - Parameters:
  ///   - message: what to publish.
  ///   - token: what the answer is known by.
  public func publish(_ message: OutgoingMessage, token: UInt64) { publish([(message, token)]) }

  /// Publishes messages in their order, for which the network thread wakes but once.
  public func publish(_ messages: [(message: OutgoingMessage, token: UInt64)]) {
    let (isFirst, refused) = state.withLock { state in
      let before = state.commands.count
      let refused = messages.filter { !state.takes($0.message, token: $0.token) }
      return (before == 0 && !state.commands.isEmpty, refused)
    }
    if isFirst { wake.signal() }
    for (_, token) in refused { mailbox.put(.published(token: token, .failed)) }
  }

  /// Subscribes to more, now and at each later connection.
  public func subscribe(_ subscriptions: [Subscription]) {
    state.withLock { state in
      state.subscriptions += subscriptions.filter { !state.subscriptions.contains($0) }
      if state.window != nil { state.commands += subscriptions.map { .subscribe($0) } }
    }
    wake.signal()
  }

  /// Ends in good order: last messages, the acknowledgements of all in flight, DISCONNECT; returns when it has ended.
  ///
  /// - Parameters:
  ///   - last: what is still published, such as `offline`, which the will says otherwise.
  ///   - limit: how long all of it may take.
  public func stop(publishing last: [OutgoingMessage] = [], within limit: Duration = .seconds(3)) async {
    requestStop(Stop(last: last, deadline: .now + limit))
    await ended()
  }

  /// Asks for the end without waiting for anything.
  func requestStopNow() { requestStop(Stop(last: [], deadline: .now)) }

  private func requestStop(_ stop: Stop) {
    let confirmation = state.withLock { state in
      if state.stop.map({ stop.deadline < $0.deadline }) ?? true { state.stop = stop }
      return state.confirmation
    }
    confirmation?.abandon()
    wake.signal()
  }

  private func ended() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if state.life == .running { state.waiters.append(continuation) }
        return state.life != .running
      }
      if isOver { continuation.resume() }
    }
  }
}

// What the network thread needs.
extension Client {
  /// How it shall end, once it shall.
  var stopRequest: Stop? { state.withLock { $0.stop } }

  /// What a new session subscribes to.
  var subscriptions: [Subscription] { state.withLock { $0.subscriptions } }

  /// Takes what is to be done next; a publish at QoS 1 only if there is room for it in flight.
  func takeCommand(hasRoom: Bool) -> Command? {
    state.withLock { state in
      if !hasRoom, case .publish(let message, _) = state.commands.first, message.qos == .atLeastOnce { return nil }
      return state.commands.isEmpty ? nil : state.commands.removeFirst()
    }
  }

  /// How much waits to be done.
  var waiting: Int { state.withLock { $0.commands.count } }

  /// Refuses publishes from now on, and reports those that were not handed to the connection.
  func disconnected(_ error: MQTTError, retryIn wait: Duration?) {
    let left = state.withLock { state in
      defer {
        state.commands = []
        state.window = nil
        state.unanswered = 0
        state.unsent = 0
      }
      return state.commands
    }
    for case .publish(_, let token) in left { mailbox.put(.published(token: token, .failed)) }
    mailbox.put(.disconnected(error, retryIn: wait))
  }

  /// Ends the stream and lets go whoever waits.
  func end() {
    mailbox.finish()
    let waiters = state.withLock { state in
      state.life = .ended
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }
}

extension Client: Inbox {
  func connected(_ session: Session) {
    state.withLock { $0.window = session.window }
    mailbox.put(.connected(session))
  }

  func published(_ token: UInt64?, qos: QoS, _ result: PublishResult) {
    guard let token else { return }
    state.withLock { state in
      switch qos {
      case .atLeastOnce: state.unanswered -= 1
      case .atMostOnce: state.unsent -= 1
      }
    }
    mailbox.put(.published(token: token, result), wakes: false)
  }

  func subscribed(_ filter: String, _ result: SubscribeResult) { mailbox.put(.subscribed(filter: filter, result)) }

  func received(
    _ topic: String, _ payload: [UInt8], qos: QoS, isRetained: Bool, _ properties: MessageProperties
  ) -> Bool {
    let confirmation = qos == .atMostOnce ? nil : Confirmation()
    let message = IncomingMessage(
      topic: topic, payload: payload, qos: qos, isRetained: isRetained, properties: properties,
      confirmation: confirmation)
    guard let confirmation else {
      mailbox.put(.message(message), isDroppable: true)
      return true
    }
    let stop = state.withLock { state in
      state.confirmation = confirmation
      return state.stop
    }
    defer { state.withLock { $0.confirmation = nil } }
    mailbox.put(.message(message))
    let left = stop.map { max(.zero, ContinuousClock.now.duration(to: $0.deadline)) }
    return confirmation.wait(atMost: min(configuration.deadlines.confirmation, left ?? .seconds(3600)))
  }
}
