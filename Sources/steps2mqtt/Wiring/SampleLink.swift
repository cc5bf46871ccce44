import MQTT
import Synchronization

/// The connection that hears messages of samples, which can be replaced by another while it is heard.
final class SampleLink: Sendable {
  private struct State {
    var configuration: Client.Configuration
    /// Grows with each configuration.
    var turn = 1
    var client: Client?
    var isStopped = false
  }

  private let state: Mutex<State>

  /// Makes a link that connects when it is run.
  init(_ configuration: Client.Configuration) { state = Mutex(State(configuration: configuration)) }

  /// Connects, and hands on what is heard, until it is stopped or the task is cancelled; it may run again later.
  func run(_ take: @escaping @Sendable (MQTTSource.Input) -> Void) async {
    var turn = 0
    while !Task.isCancelled, let client = next(after: &turn) {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await client.run() }
        for await event in client.events { if let heard = MQTTSource.Input(event) { take(heard) } }
      }
    }
  }

  /// A client of a configuration that was not tried yet; nil when it ended though nobody put another in its place.
  private func next(after turn: inout Int) -> Client? {
    let (client, now) = state.withLock { state -> (Client?, Int) in
      guard !state.isStopped, state.turn != turn else { return (nil, turn) }
      let client = Client(state.configuration)
      state.client = client
      return (client, state.turn)
    }
    turn = now
    return client
  }

  /// Goes on with another connection.
  func replace(by configuration: Client.Configuration) async {
    let former = state.withLock { state in
      state.configuration = configuration
      state.turn += 1
      return state.client
    }
    await former?.stop(within: .milliseconds(500))
  }

  /// Ends it for good.
  func stop() async {
    let client = state.withLock { state in
      state.isStopped = true
      return state.client
    }
    await client?.stop(within: .milliseconds(500))
  }
}
