import Host
import MQTT
import Sensors
import Wire

/// `demo`: a broker, the agent on a walk, and what a subscriber sees of it, in one process.
struct Demo {
  let settings: Settings
  let recording: String?
  let seconds: Double?

  func run() async throws -> ExitStatus {
    if let recording { _ = try RecordingReader.look(at: recording) }
    let signals = try Signals()
    let directory = try TemporaryDirectory(prefix: "steps2mqtt-demo")
    let broker = try await PrivateBroker(in: directory)
    defer { broker.end() }
    let settings = adapted(to: broker, directory)
    let subscriber = DemoSubscriber(root: settings.mqtt.root)
    let client = try RemoteClient(settings, role: "demo", topics: ["\(settings.mqtt.root)/#"])
    let loop = try Loop()
    let assembly = try await Assembly(settings, exitAtEnd: recording != nil, on: loop, log: Log(level: .warning))
    greet(broker, settings)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await broker.lookAfter { Console.print($0) } }
      group.addTask { _ = await client.listen(for: nil) { report in await subscriber.hear(report) } }
      group.addTask {
        for await _ in signals.received { break }
        await assembly.stop()
      }
      if let seconds {
        group.addTask {
          // A cancelled sleep means that the agent has left before.
          try? await Task.sleep(for: .seconds(seconds))
          await assembly.stop()
        }
      }
      await withTaskExecutorPreference(loop) { await assembly.run() }
      await subscriber.waitForEnd()
      group.cancelAll()
    }
    Console.print(await subscriber.summary)
    return .done
  }

  private func adapted(to broker: PrivateBroker, _ directory: TemporaryDirectory) -> Settings {
    var settings = settings
    settings.mqtt.brokers = ["mqtt://127.0.0.1:\(broker.port)"]
    settings.journal.directory = "\(directory.path)/journal"
    settings.tracking.start = .always
    settings.homeAssistant.enabled = false
    settings.mqtt.replayDelay = 0
    if settings.device.id == "auto" { settings.device.id = "demo" }
    if let recording {
      settings.sensor.source = .recording
      settings.sensor.recording.path = recording
    } else {
      settings.sensor.source = .synthetic
      settings.sensor.synthetic.loop = true
    }
    return settings
  }

  private func greet(_ broker: PrivateBroker, _ settings: Settings) {
    let topic = settings.topics.command
    Console.print(
      """
      A broker on 127.0.0.1:\(broker.port), the agent on \(recording ?? "a computed walk"); Ctrl-C ends it. Try beside it:
        mosquitto_sub -p \(broker.port) -t '\(settings.mqtt.root)/#' -v
        mosquitto_pub -p \(broker.port) -t \(topic) -m stop      # and -m start
        kill \(broker.identifier)      # an outage of \(PrivateBroker.outage.components.seconds) s: nothing is lost

      """)
  }
}

/// A subscriber that tells what it hears, and adds it up.
private actor DemoSubscriber {
  private let root: String
  private let narrator = Narrator()
  private var seen: Set<Int> = []
  private var steps = 0
  private var pauses = 0
  private var resumes = 0
  private var activities: [String] = []
  private var isOver = false

  init(root: String) { self.root = root }

  /// Hears a report; never has enough.
  func hear(_ report: RemoteClient.Report) -> Never? {
    guard case .message(let message) = report, let heard = DeviceMessage(message, root: root) else { return nil }
    for line in narrator.lines(heard) { Console.print(line) }
    if heard.leaf == "availability" { isOver = heard.content.text == "offline" }
    guard ["steps", "event", "history"].contains(heard.leaf) else { return nil }
    for record in heard.records {
      guard let seq = record["seq"]?.count, seen.insert(seq).inserted else { continue }
      steps += record["kind"]?.text == "steps" ? record["steps"]?.count ?? 0 : 0
      switch record["event_type"]?.text {
      case "pause": pauses += 1
      case "resume": resumes += 1
      case "activity":
        if let activity = record["activity"]?.text, !activities.contains(activity) { activities.append(activity) }
      default: break
      }
    }
    return nil
  }

  /// Waits until the agent's farewell has been heard, at most a second.
  func waitForEnd() async {
    for _ in 0..<50 where !isOver {
      // A cancelled sleep only makes the wait shorter.
      try? await Task.sleep(for: .milliseconds(20))
    }
  }

  var summary: String {
    """

    The subscriber received \(steps) steps, \(pauses) pauses and \(resumes) resumes\
    \(activities.isEmpty ? "" : "; activities: \(activities.joined(separator: ", "))").
    """
  }
}
