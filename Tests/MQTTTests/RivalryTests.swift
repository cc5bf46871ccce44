import SeededRandom
import Testing

@testable import MQTT

/// Two clients with one id, in virtual time.
@Suite struct `Rivals for a session` {
  /// One of them.
  private struct Party {
    var backoff = Backoff()
    var rivalry = Rivalry()
    /// When it connected, or when it will try, in s.
    var connected: Double?
    var next = 0.0
    var connections: [Double] = []
    var suspects = false

    mutating func connect(at now: Double) {
      connected = now
      connections.append(now)
    }

    /// The broker ends its session, saying why or not.
    mutating func lose(at now: Double, isTold: Bool, using generator: inout SplitMix) {
      let lifetime = Duration.seconds(now - (connected ?? now))
      connected = nil
      suspects = rivalry.suspects(afterLosing: lifetime, stable: .seconds(60))
      let wait = backoff.next(after: lifetime, needsPatience: suspects || isTold, using: &generator)
      next = now + wait / .seconds(1)
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>, [false, true])
  func `throw each other out at most once a minute, for as long as it lasts`(seed: UInt64, isTold: Bool) {
    var generator = SplitMix(seed: seed)
    var parties = [Party(), Party()]
    parties[0].connect(at: 0)
    parties[1].next = 5
    var now = 0.0
    while now < 7200 {
      guard let loser = parties.firstIndex(where: { $0.connected != nil }) else { break }
      let winner = 1 - loser
      now = max(now, parties[winner].next)
      parties[winner].connect(at: now)
      parties[loser].lose(at: now, isTold: isTold, using: &generator)
    }
    for party in parties {
      // The first minutes are what it takes to suspect.
      let later = party.connections.filter { $0 > 300 }
      #expect(later.count > 20, "they go on")
      #expect(zip(later, later.dropFirst()).allSatisfy { $1 - $0 >= 60 }, "\(later)")
    }
    // The patient one leaves the other long sessions, in which nothing is suspicious.
    if !isTold { #expect(parties.contains { $0.suspects }, "one of them can say why") }
  }

  @Test func `are not suspected when the line is bad for a while, or a session has lasted`() {
    var rivalry = Rivalry()
    func lose(_ seconds: Int) -> Bool { rivalry.suspects(afterLosing: .seconds(seconds), stable: .seconds(60)) }
    #expect(!lose(10) && !lose(10) && !lose(70) && !lose(10) && !lose(10))
    #expect(lose(10) && lose(90) && lose(599))
    #expect(!lose(600) && !lose(10))
  }
}
