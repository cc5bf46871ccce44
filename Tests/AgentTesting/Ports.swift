public import Agent
public import Wire
import Synchronization

/// A journal port over `MemoryJournal`.
public actor MemoryJournalPort: JournalPort {
  /// What it holds.
  public private(set) var journal = MemoryJournal()

  /// Makes a port over an empty journal.
  public init() {}

  /// Writes a transaction.
  public func commit(_ commit: Commit) async throws(PortError) { _ = try serve(.commit(commit)) }

  /// Gives unacknowledged records.
  public func unacknowledged(after: Int64, upTo: Int64, limit: Int) async throws(PortError) -> [Record] {
    guard case .page(let records) = try serve(.page(after: after, upTo: upTo, limit: limit)) else { return [] }
    return records
  }

  /// Gives sums.
  public func sums(from: Int64, to: Int64, bucket: Int64?) async throws(PortError) -> [Sums] {
    guard case .sums(let sums) = try serve(.sums(from: from, to: to, bucket: bucket)) else { return [] }
    return sums
  }

  /// Gives a kept answer.
  public func answer(toCommand id: String) async throws(PortError) -> [UInt8]? {
    guard case .answer(let body) = try serve(.answer(id: id)) else { return nil }
    return body
  }

  /// Plans a trim.
  public func trim(at now: Int64?, sparing: [ClosedRange<Int64>]) async throws(PortError) -> Trim? {
    guard case .trim(let trim) = try serve(.trim(now: now, sparing: sparing)) else { return nil }
    return trim
  }

  private func serve(_ request: JournalRequest) throws(PortError) -> JournalReport {
    let report = journal.serve(request)
    switch report {
    case .commitFailed(_, let reason), .failed(_, let reason): throw PortError(reason)
    case .opened(_, let restored): throw PortError("opened", opened: restored)
    case .trimRefused(_, let reason): throw PortError(reason, blamesTrim: true)
    case .committed, .page, .sums, .answer, .trim: return report
    }
  }
}

/// A broker that takes everything at once, and hands over what a test sends.
public final class ScriptedBroker: BrokerPort {
  private let reports: AsyncStream<BrokerReport>
  private let report: AsyncStream<BrokerReport>.Continuation
  private let taken = Mutex<[[Publication]]>([])
  private let confirmations = Mutex<[UInt64]>([])

  /// Makes a broker that is not yet connected.
  public init() { (reports, report) = AsyncStream.makeStream() }

  /// All publications so far, in order.
  public var published: [Publication] { handovers.flatMap(\.self) }
  /// The same as they were handed over.
  public var handovers: [[Publication]] { taken.withLock { $0 } }
  /// All messages acknowledged so far, in order.
  public var confirmed: [UInt64] { confirmations.withLock { $0 } }

  /// Hands a report to the agent.
  public func send(_ new: BrokerReport) { report.yield(new) }

  /// Delivers what the test sends.
  public func run(_ deliver: @escaping @Sendable ([BrokerReport]) async -> Void) async {
    for await next in reports { await deliver([next]) }
  }

  /// Takes publications, and acknowledges them.
  public func publish(_ publications: [Publication]) {
    taken.withLock { $0.append(publications) }
    for publication in publications where publication.qos > 0 {
      report.yield(.finished(publication: publication.number, .acknowledged))
    }
  }

  /// Notes a confirmation.
  public func confirm(message number: UInt64) { confirmations.withLock { $0.append(number) } }
}

/// A sensor that delivers what it was given, again at each opening, and then stays open.
public final class ScriptedSensor: SensorPort {
  private let inputs: [SensorInput]
  private let openings = Mutex(0)

  /// Makes a sensor that delivers inputs.
  public init(_ inputs: [SensorInput]) { self.inputs = inputs }

  /// How often it was opened.
  public var opened: Int { openings.withLock { $0 } }

  /// Delivers, then waits to be closed.
  public func run(_ deliver: @escaping @Sendable (SensorInput) async -> Void) async {
    openings.withLock { $0 += 1 }
    for input in inputs { await deliver(input) }
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    await withTaskCancellationHandler {
      for await _ in stream {}
    } onCancel: {
      continuation.finish()
    }
  }
}

/// A host that keeps the log.
public final class QuietHost: HostPort {
  private let lines = Mutex<[String]>([])

  /// Makes a host.
  public init() {}

  /// The log so far.
  public var log: [String] { lines.withLock { $0 } }

  /// Keeps a line.
  public func log(_ level: LogLevel, _ message: String) { lines.withLock { $0.append(message) } }

  /// Eight megabytes, always.
  public func residentBytes() -> Int? { 8_000_000 }
}
