import Glibc
import Testing

@testable import Host

@Suite(.serialized) struct SignalsTests {
  @Test(.timeLimit(.minutes(1)), arguments: Signals.Signal.allCases)
  func `a signal sent as soon as they are listened to arrives`(signal: Signals.Signal) async throws {
    let signals = try Signals()
    kill(getpid(), signal.rawValue)
    var received = signals.received.makeAsyncIterator()
    #expect(await received.next() == signal)
  }

  @Test(.timeLimit(.minutes(1))) func `signals arrive in order`() async throws {
    let signals = try Signals()
    // Each is waited for: the kernel may deliver those that are pending together in any order.
    var received = signals.received.makeAsyncIterator()
    for signal in [Signals.Signal.hangUp, .interrupt, .hangUp, .terminate] {
      kill(getpid(), signal.rawValue)
      #expect(await received.next() == signal)
    }
  }

  @Test(.timeLimit(.minutes(1))) func `the stream ends with its listener, and a late signal does nothing`() async throws
  {
    var signals: Signals? = try Signals()
    let received = try #require(signals?.received)
    signals = nil
    kill(getpid(), SIGTERM)
    for await _ in received { Issue.record("a signal without a listener") }
  }

  @Test func `writing to a closed pipe is an error, not the end`() throws {
    let signals = try Signals()
    var ends: [Int32] = [0, 0]
    unsafe #expect(pipe(&ends) == 0)
    close(ends[0])
    let count = unsafe write(ends[1], "x", 1)
    let reason = errno
    #expect(count == -1 && reason == EPIPE)
    close(ends[1])
    withExtendedLifetime(signals) {}
  }
}
