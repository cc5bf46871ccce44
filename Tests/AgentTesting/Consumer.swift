public import Agent
public import Wire

/// Whoever receives what the agent publishes, and does with it exactly what `Documentation/reliability.md` asks of consumers.
///
/// 1. It keeps each record once, by epoch and seq.
/// 2. When a step record with `replaces` arrives, it forgets the step records of that range that have no `replaces`
///    themselves: their steps have come again.
/// 3. When an event `outbox_trimmed` arrives, it forgets every record of its `ranges`: their steps come again merged, or
///    are those that the event names as dropped.
/// 4. The steps that an event `record_parked` names are gone unless it has the record of `parked_seq`.
public struct Consumer: Sendable {
  /// A record's key.
  public struct Key: Hashable, Sendable {
    /// The epoch.
    public var epoch: String
    /// The number in it.
    public var seq: Int64
  }

  /// Every record that was not forgotten, once.
  public private(set) var records: [Key: JSONValue] = [:]
  /// What went wrong: one key with two contents, or a payload that is no JSON.
  public private(set) var faults: [String] = []
  /// Records that came again.
  public private(set) var repetitions = 0
  /// Records that were forgotten, since others took their place.
  public private(set) var forgotten: [Key: JSONValue] = [:]

  /// The ids of commands to which an answer came.
  public private(set) var answeredIDs: Set<String> = []

  /// Makes a consumer that has received nothing.
  public init() {}

  /// The steps of all step records.
  public var steps: Int {
    records.values.reduce(0) { $0 + ($1["kind"] == .string("steps") ? Self.integer($1, "steps") : 0) }
  }

  /// The steps that events name as gone: dropped, lost or parked.
  public var stepsNamedGone: Int {
    records.values.reduce(0) { sum, record in
      switch record["event_type"]?.text {
      case "records_lost": sum + Self.integer(record, "steps")
      case "record_parked":
        // It may have arrived before it was refused.
        sum + (holds(Int64(Self.integer(record, "parked_seq")), like: record) ? 0 : Self.integer(record, "steps"))
      case "outbox_trimmed" where record["reason"] == .string("dropped"): sum + Self.integer(record, "steps")
      default: sum
      }
    }
  }

  /// The steps of the step records of some numbers, in any epoch.
  public func steps(in seqs: ClosedRange<Int64>) -> Int {
    records.reduce(0) { sum, entry in
      let isCounted = seqs.contains(entry.key.seq) && entry.value["kind"] == .string("steps")
      return sum + (isCounted ? Self.integer(entry.value, "steps") : 0)
    }
  }

  private func holds(_ seq: Int64, like record: JSONValue) -> Bool {
    records[Key(epoch: record["epoch"]?.text ?? "", seq: seq)] != nil
  }

  private static func integer(_ record: JSONValue, _ member: String) -> Int {
    if case .integer(let value) = record[member] { Int(value) } else { 0 }
  }

  /// Takes a publication of the topics that carry records.
  public mutating func take(_ publication: Publication, _ json: JSONValue?, topics: Topics) {
    switch publication.topic {
    case topics.steps, topics.event:
      guard let record = json else { return faults.append("no JSON") }
      if record["historical"] != .bool(false) { faults.append("a live record that says it is not") }
      keep(record)
    case topics.history:
      guard case .array(let records) = json?["records"] else {
        return faults.append("no batch")
      }
      if records.count > 50 { faults.append("a batch of \(records.count)") }
      for record in records {
        if record["historical"] != .bool(true) { faults.append("a replayed record that does not say so") }
        keep(record)
      }
    case topics.response: if let id = json?["id"]?.text { answeredIDs.insert(id) }
    default: break
    }
  }

  private mutating func keep(_ record: JSONValue) {
    guard case .string(let epoch) = record["epoch"], case .integer(let seq) = record["seq"] else {
      return faults.append("a record without a key")
    }
    let key = Key(epoch: epoch, seq: seq)
    if let first = records[key] ?? forgotten[key] {
      repetitions += 1
      for member in ["kind", "steps", "total_steps", "session_steps", "event_type", "mono_ms", "boot", "replaces"]
      where first[member] != record[member] {
        faults.append("seq \(seq) came with two contents of \(member)")
      }
      return
    }
    records[key] = record
    if let replaced = Self.range(record["replaces"]) {
      forget(in: epoch) { replaced.contains($0) && $1["kind"] == .string("steps") && $1["replaces"] == nil }
    }
    if record["event_type"] == .string("outbox_trimmed"), case .array(let ranges) = record["ranges"] {
      let gone = ranges.compactMap(Self.range)
      forget(in: epoch) { seq, _ in gone.contains { $0.contains(seq) } }
    }
  }

  private static func range(_ value: JSONValue?) -> ClosedRange<Int64>? {
    guard case .array(let ends) = value, ends.count == 2, case .integer(let first) = ends[0],
      case .integer(let last) = ends[1], first <= last
    else { return nil }
    return first...last
  }

  private mutating func forget(in epoch: String, _ isGone: (Int64, JSONValue) -> Bool) {
    for (key, record) in records where key.epoch == epoch && isGone(key.seq, record) {
      forgotten[key] = records.removeValue(forKey: key)
    }
  }
}
