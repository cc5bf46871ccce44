import Glibc
import Host

/// What the running agent costs its host, beside minimal publishers that send as much.
struct FootprintSection {
  /// How long each is watched, in s.
  private static let watch: UInt32 = 20
  /// How often a start is timed; the middle counts.
  private static let starts = 5
  /// Where the minimal publishers lie: beside this file.
  private static let directory = #filePath.parent

  /// A process to be watched: how it is started under a name, and on which topic its first message comes.
  private struct Subject {
    var name: String
    var id: String
    var topic: (String) -> String
    var start: (String) throws -> Spawned
  }

  func run() throws {
    let place = try Place()
    let broker = try QuietBroker(in: place)
    var rows: [[String]] = []
    var notes = [
      "walking: 50 Hz, 110 steps a minute without a pause, a step record and a state each second; the agent also reads "
        + "its sensor five times a second and keeps its journal, the minimal publishers do neither",
      "wake-ups: voluntary context switches of all threads; first message: from the start of the process until a "
        + "subscriber has it, the middle of \(Self.starts)",
    ]
    rows.append(try row(agent(broker, place, walking: true), broker))
    rows.append(try row(agent(broker, place, walking: false), broker))
    for subject in [c, python] {
      do { rows.append(try row(subject(broker, place), broker)) } catch { notes.append("\(error)") }
    }
    table(
      "Footprint (aims: 0.5 % of a processor, 10 wake-ups/s, 8 MB private, first message within 150 ms)",
      ["", "% of a processor", "wake-ups/s", "MB private", "MB resident", "threads", "first message, ms"], rows,
      notes: notes)
  }

  private func row(_ subject: Subject, _ broker: QuietBroker) throws -> [String] {
    let listener = try Listener(port: broker.port, "#")
    var delays: [Double] = []
    for index in 0..<Self.starts {
      let id = "\(subject.id)-\(index)"
      let process = try subject.start(id)
      defer { process.end() }
      delays.append(process.start.duration(to: try listener.first(subject.topic(id))) / .milliseconds(1))
    }
    let id = "\(subject.id)-watched"
    let process = try subject.start(id)
    defer { process.end() }
    _ = try listener.first(subject.topic(id))
    sleep(5)
    let before = try ProcessFigures(of: process.identifier)
    sleep(Self.watch)
    let after = try ProcessFigures(of: process.identifier)
    return [
      subject.name, figure(after.load(since: before), 2), figure(after.wakeUps(since: before), 1),
      figure(Double(after.privateBytes) / 1e6, 1), figure(Double(after.residentBytes) / 1e6, 1),
      figure(after.threads), figure(median(delays)),
    ]
  }

  private func agent(_ broker: QuietBroker, _ place: Place, walking: Bool) -> Subject {
    Subject(name: "steps2mqtt, \(walking ? "walking" : "still")", id: walking ? "walking" : "still") { id in
      "steps2mqtt/\(id)/availability"
    } start: { id in
      let pace =
        walking
        ? ["sensor.synthetic.walk_s=3600", "sensor.synthetic.pause_s=0"]
        : ["sensor.synthetic.walk_s=1", "sensor.synthetic.pause_s=3600"]
      return try Spawned(
        "steps2mqtt",
        ["run"]
          + ([
            "device.id=\(id)", "mqtt.brokers=mqtt://127.0.0.1:\(broker.port)",
            "journal.directory=\(place.path)/\(id)", "sensor.source=synthetic", "sensor.rate_hz=50",
            "sensor.synthetic.cadences_spm=110", "tracking.start=always",
          ] + pace).flatMap { ["--set", $0] }, in: place)
    }
  }

  private func c(_ broker: QuietBroker, _ place: Place) throws -> Subject {
    guard let compiler = ChildProcess.find("clang") ?? ChildProcess.find("cc") else {
      throw Unmeasured("minimal C publisher: skipped, no C compiler")
    }
    let program = "\(place.path)/publisher"
    _ = try Spawned(compiler, ["-O2", "-o", program, "\(Self.directory)/publisher.c", "-lmosquitto"], in: place)
      .wait(atMost: 60)
    return Subject(name: "minimal C publisher", id: "c") {
      "bench/\($0)/steps"
    } start: {
      try Spawned(program, ["\(broker.port)", "bench/\($0)"], in: place)
    }
  }

  private func python(_ broker: QuietBroker, _ place: Place) throws -> Subject {
    let program = "\(Self.directory)/publisher.py"
    guard let python = ChildProcess.find("python3"),
      (try? Spawned(python, ["-c", "import paho.mqtt.client"], in: place).wait(atMost: 30)) != nil
    else {
      throw Unmeasured("minimal Python publisher: skipped, python3 with paho-mqtt is not there: make bench PAHO=1")
    }
    return Subject(name: "minimal Python publisher (paho)", id: "python") {
      "bench/\($0)/steps"
    } start: {
      try Spawned(python, [program, "\(broker.port)", "bench/\($0)"], in: place)
    }
  }
}
