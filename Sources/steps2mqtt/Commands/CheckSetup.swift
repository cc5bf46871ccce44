import Host
import Journal
import MQTT
import Sensors

/// `check`: whether sensor, journal and broker are as the configuration says, a line each.
struct CheckSetup {
  let settings: Settings

  /// How long the sensor has to give a sample, and the broker to answer.
  private static let patience = Duration.seconds(10)

  func run() async -> ExitStatus {
    report("configuration", .success("valid; device \(settings.deviceID)"))
    var isFine = true
    for (name, check) in [("sensor", sensor), ("journal", journal)] as [(String, () async -> Verdict)] {
      isFine = report(name, await check()) && isFine
    }
    for (name, verdict) in await broker() { isFine = report(name, verdict) && isFine }
    return isFine ? .done : .failed
  }

  private enum Verdict {
    case success(String)
    case failure(String)
    case skipped(String)
  }

  @discardableResult
  private func report(_ name: String, _ verdict: Verdict) -> Bool {
    let label = name + String(repeating: " ", count: max(1, 15 - name.count))
    switch verdict {
    case .success(let text): Console.print("ok      \(label)\(text)")
    case .skipped(let text): Console.print("-       \(label)\(text)")
    case .failure(let text):
      Console.print("FAILED  \(label)\(text)")
      return false
    }
    return true
  }

  /// Opens the sensor and waits for samples.
  private func sensor() async -> Verdict {
    let source: any AccelerometerSource
    do throws(SensorError) { source = try settings.sensor.open() } catch { return .failure(error.message) }
    if case .lines = settings.sensor.source {
      return .skipped("lines are not read here, so that none is taken from the agent")
    }
    return await withTaskGroup(of: Verdict?.self) { group in
      let (heard, hearing) = AsyncStream.makeStream(of: Verdict.self)
      group.addTask {
        do throws(SensorError) {
          var name = ""
          try await source.run { event in
            switch event {
            case .opened(let description), .found(let description):
              name = "\(description.kind) \(description.name)"
              if let rate = description.rate { name += ", \(Text.number(rate, 1)) Hz" }
            case .samples(let samples):
              hearing.yield(.success("\(name); \(samples.count) samples came"))
              hearing.finish()
            case .lost(let error): hearing.yield(.failure(error.message))
            case .faults, .warning, .ended: break
            }
          }
        } catch { hearing.yield(.failure(error.message)) }
        hearing.finish()
        return nil
      }
      group.addTask {
        for await verdict in heard { return verdict }
        return .failure("the source ended without a sample")
      }
      group.addTask {
        // A cancelled sleep means that there is a verdict.
        try? await Task.sleep(for: Self.patience)
        return .failure("no sample within 10 s: is the device running?")
      }
      defer { group.cancelAll() }
      for await verdict in group { if let verdict { return verdict } }
      return .failure("nothing came")
    }
  }

  /// Opens the journal as the agent does, and closes it.
  private func journal() async -> Verdict {
    do throws(JournalError) {
      let (journal, recovery) = try await Journal.open(
        settings.journalConfiguration, epoch: String(UInt64.random(in: .min ... .max), radix: 36))
      let waiting = await journal.unacknowledgedCount
      try await journal.close()
      return .success("\(settings.journal.directory): record \(recovery.lastSequence), \(waiting) wait for the broker")
    } catch {
      return error.code == .inUse
        ? .skipped("\(settings.journal.directory): an agent is running with it") : .failure(error.message)
    }
  }

  /// Connects, and tries every right that the agent needs.
  private func broker() async -> [(String, Verdict)] {
    do throws(MQTTError) {
      _ = try settings.client(id: "check")
      return []
    } catch { return [("broker", .failure(error.message))] }
  }
}
