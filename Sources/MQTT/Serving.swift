internal import Glibc

/// The life of one connection on the network thread: from CONNACK through publishes and messages to its end.
///
/// The thread sleeps in `poll` until the peer, the client or a deadline wants something; an idle connection wakes it
/// twice a keepalive.
final class Serving {
  private let connection: Connection
  private let client: Client
  private let started = ContinuousClock.now
  private var accepted: ContinuousClock.Instant?
  private var lastRead = ContinuousClock.now
  private var lastWrite = ContinuousClock.now
  /// What is still to publish before the end; `nil` before the end was asked for.
  private var farewell: [OutgoingMessage]?
  private var hasSaidGoodbye = false

  init(_ connection: Connection, for client: Client) {
    self.connection = connection
    self.client = client
  }

  /// Serves until the connection ends, reports all in flight as failed, and says why it ended and how long it lasted.
  func run() -> (error: MQTTError, lifetime: Duration?) {
    let error = serve()
    connection.failPending()
    return (error, accepted.map { $0.duration(to: .now) })
  }

  private func serve() -> MQTTError {
    while true {
      if case .closed(let error) = connection.phase { return hasSaidGoodbye ? Self.stopped : error }
      let now = ContinuousClock.now
      if let error = expired(at: now) { return error }
      if case .connected = connection.phase { work() }
      if let stop = client.stopRequest, leave(stop, at: now) { return Self.stopped }
      if connection.wantsToWrite {
        connection.write()
        lastWrite = now
        if case .closed = connection.phase { continue }
      }
      sleep(from: now)
    }
  }

  /// Does what the client asked for.
  private func work() {
    if accepted == nil {
      accepted = .now
      for subscription in client.subscriptions { connection.subscribe(subscription) }
    }
    while let command = client.takeCommand(hasRoom: connection.inFlight < connection.window) {
      switch command {
      case .publish(let message, let token):
        connection.publish(message, token: token, deadline: .now + client.configuration.deadlines.acknowledgement)
      case .subscribe(let subscription): connection.subscribe(subscription)
      }
    }
  }

  /// Takes the next step towards a good end; true when nothing is left to do.
  private func leave(_ stop: Client.Stop, at now: ContinuousClock.Instant) -> Bool {
    guard accepted != nil else { return true }
    var left = farewell ?? stop.last
    while !left.isEmpty, client.waiting == 0, connection.inFlight < connection.window {
      connection.publish(left.removeFirst(), token: nil, deadline: stop.deadline)
    }
    farewell = left
    let isDone = left.isEmpty && client.waiting == 0 && connection.pending.isEmpty
    // Without a DISCONNECT the broker publishes the will, which says what the last messages could not.
    guard isDone else { return now >= stop.deadline }
    if !hasSaidGoodbye {
      hasSaidGoodbye = true
      connection.sayGoodbye()
      connection.write()
    }
    return !connection.wantsToWrite || now >= stop.deadline
  }

  private func expired(at now: ContinuousClock.Instant) -> MQTTError? {
    let broker = connection.target.broker
    let deadlines = client.configuration.deadlines
    if accepted == nil, case .opening = connection.phase, now >= started + deadlines.connect {
      return MQTTError(.timedOut, "\(broker): no CONNACK within \(deadlines.connect): is it an MQTT broker?")
    }
    if let deadline = connection.nextDeadline, now >= deadline, farewell == nil {
      return MQTTError(
        .unacknowledged, "\(broker): no acknowledgement within \(deadlines.acknowledgement): is the broker overloaded?")
    }
    return nil
  }

  private func sleep(from now: ContinuousClock.Instant) {
    var until = min(lastRead, lastWrite) + .seconds(Int64(connection.keepAlive) + 1)
    // The library counts in whole seconds, so that nothing is due again sooner.
    until = max(until, now + .seconds(1))
    if accepted == nil { until = min(until, started + client.configuration.deadlines.connect) }
    if let deadline = connection.nextDeadline { until = min(until, deadline) }
    if let stop = client.stopRequest { until = min(until, stop.deadline) }

    let waiting = client.waiting
    // With nothing to send there is nothing that the system's acknowledgement could ride on.
    if waiting == 0, connection.inFlight > 0 { connection.acknowledgeSegments() }
    // What was acknowledged is told at once, or a little later and more of it together where enough waits to be sent
    // meanwhile: who hears it makes as much again, which takes less time than to wake for each.
    let isHeldBack = waiting >= connection.window / 2 && client.mailbox.holdsSomething
    if isHeldBack { until = min(until, now + Self.longestHold) } else { client.mailbox.flush() }
    let events = connection.wantsToWrite ? POLLIN | POLLOUT : POLLIN
    var descriptors = [
      pollfd(fd: connection.descriptor, events: Int16(events), revents: 0),
      pollfd(fd: client.wake.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    let ready = unsafe poll(&descriptors, 2, CInt(clamping: max(.zero, now.duration(to: until)).milliseconds))
    if ready == 0, isHeldBack { client.mailbox.flush() }
    if descriptors[1].revents != 0 { client.wake.clear() }
    if descriptors[0].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 {
      connection.read()
      lastRead = .now
    }
    if case .closed = connection.phase { return }
    connection.tend()
  }

  /// How long it may take until an acknowledgement is told.
  private static let longestHold = Duration.milliseconds(10)
  private static let stopped = MQTTError(.stopped, "stopped")
}
