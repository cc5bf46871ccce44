import Host
import MQTT
import Motion
import Sensors
import Synchronization
import Wire

/// `check`: whether sensor, journal and broker are as the configuration says, a line each.
struct CheckSetup {
  let settings: Settings

  /// How long the sensor has to give as many samples as are looked at.
  private static let patience = Duration.seconds(25)
  private static let patienceText = Text.duration(patience / .seconds(1))

  func run() async -> ExitStatus {
    report("configuration", .success("valid; the device is \(settings.deviceID)"))
    let (verdict, accelerometer) = await sensor()
    var isFine = report("sensor", verdict)
    if settings.sensor.meant == .auto || !isFine { survey() }
    isFine = reportCapabilities(of: accelerometer) && isFine
    if settings.places.source != .none { isFine = report("places", await places()) && isFine }
    isFine = report("journal", journal()) && isFine
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

  /// What else there is, where the configuration leaves the choice or what it wants is not there.
  private func survey() {
    for finding in Survey.look() {
      if finding.found.isEmpty {
        report(finding.kind.rawValue, .skipped("none found"))
      } else {
        let text = finding.found.joined(separator: ", ")
        report(finding.kind.rawValue, finding.isUsable ? .success(text) : .skipped(text))
      }
    }
  }

  /// The first verdict of something that is looked at until there is one, or patience is at its end.
  private func verdict(
    orElse failure: String, _ look: @escaping @Sendable (_ hearing: AsyncStream<Verdict>.Continuation) async -> Void
  ) async -> Verdict {
    let (heard, hearing) = AsyncStream.makeStream(of: Verdict.self)
    return await withTaskGroup(of: Void.self) { group in
      group.addTask { await look(hearing) }
      group.addTask {
        // A cancelled sleep means that there is a verdict.
        try? await Task.sleep(for: Self.patience)
        hearing.yield(.failure(failure))
      }
      defer { group.cancelAll() }
      for await verdict in heard { return verdict }
      return .failure("nothing came")
    }
  }

  /// Opens the sensor and looks at what it gives for some seconds; says what is known of it then, too.
  private func sensor() async -> (Verdict, Capabilities.Sensor) {
    let source: any AccelerometerSource
    do throws(SensorError) {
      source = try settings.openSensor(as: "check-sensor")
    } catch { return (.failure(error.message), .unknown) }
    if case .lines = settings.sensor.source {
      return (.skipped("lines are not read here, so that none is taken from the agent"), .unknown)
    }
    let found = Mutex(Capabilities.Sensor.unknown)
    let verdict = await verdict(orElse: "no samples within \(Self.patienceText): is the device running?") { hearing in
      var look = SensorLook()
      do throws(SensorError) {
        try await source.run { event in
          look.take(event)
          found.withLock { [look] in $0 = look.sensor }
          if let failure = look.failure { hearing.yield(.failure(failure)) }
          if look.isDone { hearing.yield(.success(look.summary)) }
        }
        hearing.yield(look.samples > 0 ? .success(look.summary) : .failure("the source ended without a sample"))
      } catch {
        look.take(.lost(error))
        found.withLock { [look] in $0 = look.sensor }
        hearing.yield(.failure(error.message))
      }
    }
    return (verdict, found.withLock { $0 })
  }

  /// Says of each thing whether this device can measure it; true unless the barometer that is configured fails.
  private func reportCapabilities(of accelerometer: Capabilities.Sensor) -> Bool {
    var isFine = true
    var capabilities = Capabilities(accelerometer: accelerometer)
    if let barometer = settings.sensor.openBarometer {
      do throws(SensorError) {
        if let (name, pressure) = try barometer.tryOut() {
          report("barometer", .success("\(name); \(Text.number(pressure / 100, 1)) hPa"))
          capabilities.barometer = .present(rate: nil)
        } else {
          capabilities.barometer = .absent
        }
      } catch {
        isFine = report("barometer", .failure(error.message))
        capabilities.barometer = error.code == .notPermitted ? .denied : .absent
      }
    } else if let bringsPressures = settings.sensor.bringsPressures {
      capabilities.barometer = bringsPressures ? .present(rate: nil) : .absent
    }
    for capability in Capabilities.Capability.allCases {
      let availability = capabilities[capability]
      let isAvailable = availability == .available
      report(capability.rawValue, isAvailable ? .success("available") : .skipped(availability.rawValue))
    }
    return isFine
  }

  /// Waits for a position of the receiver; it is not shown.
  private func places() async -> Verdict {
    let count = settings.places.regions.count
    let regions = count == 1 ? "1 region is watched" : "\(count) regions are watched"
    guard let receiver = settings.places.receiver else {
      return .skipped("positions come on \(settings.phoneTopic) when the phone sends some; \(regions)")
    }
    let failure = "\(receiver.name): no position within \(Self.patienceText); has its receiver power and sky?"
    return await verdict(orElse: failure) { hearing in
      do throws(SensorError) {
        try await receiver.run { event in
          switch event {
          case .found: break
          case .lost(let error): hearing.yield(.failure(error.message))
          case .position(let fix):
            let accuracy = fix.accuracy.map { "\(Text.number($0, 0)) m" } ?? "unknown, so that nothing can follow"
            hearing.yield(.success("\(receiver.name): a position came, its accuracy is \(accuracy); \(regions)"))
          }
        }
      } catch { hearing.yield(.failure(error.message)) }
    }
  }

  /// Tries whether the journal can be written; the file itself is left to the agent, which repairs what it finds.
  private func journal() -> Verdict {
    let path = settings.journal.directory
    do throws(HostError) {
      try WritableDirectory.tryOut(path)
      let free = try? FreeSpace.bytes(at: path)
      return .success(path + (free.map { ": \($0 >> 20) MiB free" } ?? ": will be made"))
    } catch {
      return .failure("\(error.message); name another journal.directory, or give this user the right to write there")
    }
  }

  /// Connects, and tries to publish and to receive below the device's own topic.
  private func broker() async -> [(String, Verdict)] {
    let topics = settings.topics
    do throws(MQTTError) {
      let configuration = try settings.client(id: "steps2mqtt-\(topics.device)")
      let checks = await Client.check(configuration, topic: topics.check)
      return checks.map { check in
        switch check.outcome {
        case .passed(let text): (check.step.rawValue, .success(text))
        case .failed(let text): (check.step.rawValue, .failure(text))
        case .skipped: (check.step.rawValue, .skipped("not tried"))
        }
      }
    } catch { return [("broker", .failure(error.message))] }
  }
}
