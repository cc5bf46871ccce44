public import Agent
public import Wire

/// Whoever receives what the agent publishes: it keeps each record once, by epoch and seq.
public struct Consumer: Sendable {
  /// A record's key.
  public struct Key: Hashable, Sendable {
    /// The epoch.
    public var epoch: String
    /// The number in it.
    public var seq: Int64
  }

  /// Every record, once.
  public private(set) var records: [Key: JSONValue] = [:]
  /// What went wrong: one key with two contents, or a payload that is no JSON.
  public private(set) var faults: [String] = []
  /// Records that came again.
  public private(set) var repetitions = 0

  /// Makes a consumer that has received nothing.
  public init() {}

  /// The steps of all records.
  public var steps: Int {
    records.values.reduce(0) { sum, record in
      if case .integer(let steps) = record["steps"], record["kind"] == .string("steps") { return sum + Int(steps) }
      return sum
    }
  }

  /// Takes a publication of the topics that carry records.
  public mutating func take(_ publication: Publication, topics: Topics) {
    switch publication.topic {
    case topics.steps, topics.event:
      guard let record = JSONValue(json: publication.payload) else { return faults.append("no JSON") }
      keep(record)
    case topics.history:
      guard case .array(let records) = JSONValue(json: publication.payload)?["records"] else {
        return faults.append("no batch")
      }
      if records.count > 50 { faults.append("a batch of \(records.count)") }
      for record in records {
        if record["historical"] != .bool(true) { faults.append("a replayed record that does not say so") }
        keep(record)
      }
    default: break
    }
  }

  private mutating func keep(_ record: JSONValue) {
    guard case .string(let epoch) = record["epoch"], case .integer(let seq) = record["seq"] else {
      return faults.append("a record without a key")
    }
    let key = Key(epoch: epoch, seq: seq)
    guard let first = records[key] else {
      records[key] = record
      return
    }
    repetitions += 1
    for member in ["kind", "steps", "total_steps", "session_steps", "event_type", "mono_ms", "boot"]
    where first[member] != record[member] {
      faults.append("seq \(seq) came with two contents of \(member)")
    }
  }
}
