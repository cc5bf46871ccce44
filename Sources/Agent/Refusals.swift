/// What the broker refuses now, and how long the lanes concerned rest before they try again.
///
/// A lane's refusal stands until the broker takes something of that same lane: success elsewhere proves nothing.
struct Refusals: Sendable, Equatable {
  /// The first and the longest rest, in ms; each refusal doubles it.
  static let rests: (first: Int64, longest: Int64) = (60_000, 300_000)

  private struct Refusal: Sendable, Equatable {
    var reason: String
    /// In ms on the monotonic clock.
    var until: Int64
    /// In ms; 0 where the message was to blame and not the lane.
    var rest: Int64
  }

  /// What an operator must hear of the connection itself.
  private let alarm: String?
  private var lanes: [Lane: Refusal] = [:]
  private var subscriptions: [String: String] = [:]

  /// Makes the refusals of a new connection: none.
  init(alarm: String? = nil) { self.alarm = alarm }

  /// All that is refused, in words; nil when nothing is.
  var summary: String? {
    let lanes = Lane.allCases.compactMap { lane in self.lanes[lane].map { "\(lane): \($0.reason)" } }
    let deaf = subscriptions.sorted { $0.key < $1.key }.map { "no commands on \($0.key): \($0.value)" }
    let all = [alarm].compactMap(\.self) + lanes + deaf
    return all.isEmpty ? nil : all.joined(separator: "; ")
  }

  /// When a lane that was refused may try again, in ms; nil for one that was not.
  func rest(of lane: Lane) -> Int64? { lanes[lane]?.until }

  /// Whether a lane has to rest.
  func isResting(_ lane: Lane, at now: Int64) -> Bool { rest(of: lane).map { now < $0 } ?? false }

  /// The broker refuses a lane: it rests, longer each time; true when the operator has not heard this yet.
  mutating func refuse(_ lane: Lane, _ reason: String, at now: Int64) -> Bool {
    let former = lanes[lane]
    // What was under way when the lane was refused is refused, too: that is the same refusal.
    if let former, now < former.until { return false }
    let rest = min(Self.rests.longest, max(Self.rests.first, (former?.rest ?? 0) * 2))
    lanes[lane] = Refusal(reason: reason, until: now + rest, rest: rest)
    return former?.reason != reason
  }

  /// The broker will never take one message of a lane, which goes on; true when the operator has not heard this yet.
  mutating func blame(messageOf lane: Lane, _ reason: String, at now: Int64) -> Bool {
    let former = lanes[lane]
    lanes[lane] = Refusal(reason: reason, until: max(now, former?.until ?? now), rest: former?.rest ?? 0)
    return former?.reason != reason
  }

  /// The broker took something of a lane.
  mutating func accept(_ lane: Lane) { lanes[lane] = nil }

  /// The broker refuses a subscription, so that commands on it do not arrive.
  mutating func refuse(subscription filter: String, _ reason: String) { subscriptions[filter] = reason }
}
