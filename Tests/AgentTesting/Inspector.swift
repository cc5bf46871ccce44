internal import Agent
public import Wire

/// Looks over the machine's shoulder at everything that it hands to the broker, arrived or not.
///
/// No number of an epoch with two contents; numbers ascend in the live lane, and in the history lane as long as the
/// connection lasts and nothing is refused; totals never go down; an id is never answered in two ways.
public struct Inspector: Sendable {
  /// What the machine did wrong.
  public private(set) var faults: [String] = []
  /// The answers by the command's id, without their status.
  public private(set) var answers: [String: JSONValue] = [:]
  /// Ids that were answered in two ways.
  public private(set) var contradicted: Set<String> = []
  private var lastLive: [String: Int64] = [:]
  private var lastHistory: [String: Int64] = [:]
  private var lastTotal: [String: Int64] = [:]

  /// The ids that were answered.
  public var answeredIDs: Set<String> { Set(answers.keys) }

  mutating func connected() { lastHistory = [:] }

  /// What was refused goes again.
  mutating func refused() { lastHistory = [:] }

  mutating func see(_ publication: Publication, _ json: JSONValue?, topics: Topics) {
    switch publication.topic {
    case topics.steps, topics.event:
      guard let (epoch, seq) = key(of: json) else { return }
      if seq <= lastLive[epoch] ?? 0 { faults.append("live \(seq) after \(lastLive[epoch] ?? 0)") }
      lastLive[epoch] = seq
    case topics.history:
      guard case .array(let records) = json?["records"] else { return }
      for record in records {
        guard let (epoch, seq) = key(of: record) else { continue }
        if seq <= lastHistory[epoch] ?? 0 { faults.append("history \(seq) after \(lastHistory[epoch] ?? 0)") }
        lastHistory[epoch] = seq
      }
    case topics.state:
      guard case .string(let epoch) = json?["epoch"], case .integer(let total) = json?["total_steps"] else {
        return faults.append("a state without a total")
      }
      if total < lastTotal[epoch] ?? 0 { faults.append("the total fell from \(lastTotal[epoch] ?? 0) to \(total)") }
      lastTotal[epoch] = total
    case topics.response: answered(json)
    default: break
    }
  }

  private func key(of record: JSONValue?) -> (String, Int64)? {
    guard case .string(let epoch) = record?["epoch"], case .integer(let seq) = record?["seq"] else { return nil }
    return (epoch, seq)
  }

  private mutating func answered(_ json: JSONValue?) {
    guard case .object(var members) = json, case .string(let id) = members["id"] else { return }
    // One that was shortened for the broker is the same answer.
    if members["state"] == .null { return }
    members["status"] = nil
    if let first = answers[id], first != .object(members) { contradicted.insert(id) }
    answers[id] = answers[id] ?? .object(members)
  }
}
