/// How much of the history is under way at once: as much as the broker takes without letting others wait.
///
/// What is handed over lies before an event that comes after it. Each acknowledgement is compared with the quickest of
/// this connection: while that much of the time was spent in queues, less is handed over; else more.
struct ReplayPace: Sendable, Equatable {
  /// The most batches in flight: the window less what stays free for events.
  static let largestWindow = 15
  /// The most batches under way, those among them that wait in the link.
  ///
  /// They spare threads the waiting for one another where an acknowledgement takes less time than to make the next
  /// batch. On a line that takes longer they would gain nothing, and an event would wait for them.
  static let largestWindowAtHand = 35
  /// The fewest records to which a slow line shortens a batch; a refusal for its size may shorten it further.
  private static let smallestBatch = 5
  /// An acknowledgement that comes so much later than the quickest is late, in ms: an event may be 1 s behind the link.
  private static let late: Int64 = 1000
  /// Up to so much later all is well, in ms.
  private static let prompt: Int64 = 500
  /// A broker that has acknowledged so long after the hand-over is at hand, in ms: an event hardly waits.
  private static let atHand: Int64 = 100

  /// How many batches may be under way.
  private(set) var window = 1
  /// How many records a batch may have.
  private(set) var batch = smallestBatch
  /// The quickest acknowledgement of this connection, in ms.
  private var quickest: Int64?

  /// Begins anew with another connection, carefully.
  mutating func restart() {
    window = 1
    batch = min(batch, Self.smallestBatch)
    quickest = nil
  }

  /// Something was acknowledged after so many ms.
  mutating func heard(after time: Int64) { quickest = min(time, quickest ?? time) }

  /// A batch was acknowledged after so many ms.
  mutating func arrived(after time: Int64) {
    heard(after: time)
    let delay = time - (quickest ?? time)
    let most = time <= Self.atHand ? Self.largestWindowAtHand : Self.largestWindow
    window = min(window, most)
    if delay > Self.late {
      if window > 1 { window /= 2 } else { batch = min(batch, max(Self.smallestBatch, batch / 2)) }
    } else if delay <= Self.prompt {
      if batch < Replay.batchLimit {
        batch = min(Replay.batchLimit, batch * 2)
      } else {
        window = min(most, window + 1)
      }
    }
  }

  /// A batch of so many records was refused for its size.
  mutating func split(_ count: Int) { batch = max(1, count / 2) }
}
