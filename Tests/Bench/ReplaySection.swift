import Host
import Journal
import Wire

/// How fast the agent sends after an outage what its journal holds, beside libmosquitto alone.
struct ReplaySection {
  private static let records = 100_000
  /// How many records go one a message, where the broker takes no larger packets.
  private static let single = 20_000
  /// How often each is measured; the middle counts.
  private static let rounds = 3

  /// What the agent's process gave: from its first message to its end, the acknowledgements on disk.
  private struct Replay {
    var records: Double
    var messages: Double
  }

  func run() async throws {
    let record = SampleRecord.make(50_000)
    let size = record.json(epoch: "1a2b3c4d5e6f7", dating: .init(synchronized: true), historical: true).count
    let batch = size * 50 + 50 + 13
    let place = try Place()
    let broker = try QuietBroker(in: place)
    let narrow = try QuietBroker(in: place, "max_packet_size \(512 + size + 100)")
    var bare: (small: [Double], large: [Double]) = ([], [])
    var batched: [Replay] = []
    var single: [Replay] = []
    for round in 0..<Self.rounds {
      bare.small.append(try BarePublisher(port: broker.port).run(40_000, of: size))
      bare.large.append(try BarePublisher(port: broker.port).run(8000, of: batch))
      batched.append(try await replay(Self.records, "batched-\(round)", broker, place))
      single.append(try await replay(Self.single, "single-\(round)", narrow, place))
    }
    let (small, large) = (median(bare.small), median(bare.large))
    func row(_ name: String, _ replays: [Replay], _ bytes: Int, _ other: Double) -> [String] {
      let (a, b) = (median(replays.map(\.records)), median(replays.map(\.messages)))
      return [name, figure(bytes), figure(b), figure(a), figure(a / small, 2), figure(b / other, 2)]
    }
    table(
      "Replay (window of 20, QoS 1, a private mosquitto; the journal on \(place.fileSystem))",
      ["", "bytes", "messages/s", "records/s", "records ÷ bare small", "messages ÷ bare of that size"],
      [
        ["bare libmosquitto, a record's size", figure(size), figure(small), "-", "1.00", "1.00"],
        ["bare libmosquitto, a batch's size", figure(batch), figure(large), "-", "-", "1.00"],
        row("steps2mqtt, 50 records a message", batched, batch, large),
        row("steps2mqtt, one record a message", single, size, small),
      ],
      notes: [
        "aims, in records ÷ bare small: 1.5 with 50 records a message, 0.50 with one",
        "steps2mqtt: from its first message until its process has ended with every acknowledgement on disk; "
          + "pacing off; \(figure(Self.records)) and \(figure(Self.single)) records",
        "the middle of \(Self.rounds) rounds, in which all four took turns",
      ])
  }

  private func replay(_ count: Int, _ name: String, _ broker: QuietBroker, _ place: Place) async throws -> Replay {
    let directory = "\(place.path)/\(name)"
    try await fill(directory, count)
    // A recording of one sample ends at once: the agent leaves when all is acknowledged.
    let recording = "\(place.path)/one.csv"
    try write("t,x,y,z\n0,0,0,1\n", to: recording)
    let device = "bench-\(name)"
    let before = try Listener.published(port: broker.port)
    let listener = try Listener(port: broker.port, "steps2mqtt/\(device)/availability")
    let agent = try Spawned(
      "steps2mqtt",
      ["run", "--exit-at-end"]
        + [
          "device.id=\(device)", "mqtt.brokers=mqtt://127.0.0.1:\(broker.port)", "mqtt.replay_rate=0",
          "mqtt.replay_delay_s=0", "journal.directory=\(directory)", "sensor.source=recording",
          "sensor.recording.path=\(recording)", "sensor.recording.speed=max", "tracking.start=always",
          "home_assistant.enabled=false",
        ].flatMap { ["--set", $0] }, in: place)
    let first = try listener.first("steps2mqtt/\(device)/availability")
    let result = try agent.wait(atMost: 90)
    let seconds = first.duration(to: agent.start + .seconds(result.seconds)) / .seconds(1)
    let messages = try Listener.published(port: broker.port) - before
    let (journal, _) = try await Journal.open(.init(directory: directory), epoch: "bench")
    let left = await journal.unacknowledgedCount
    await journal.close()
    guard left == 0 else { throw Unmeasured("\(left) records were left unacknowledged in the journal") }
    return Replay(records: Double(count) / seconds, messages: Double(messages) / seconds)
  }

  private func fill(_ directory: String, _ count: Int) async throws {
    let (journal, _) = try await Journal.open(.init(directory: directory), epoch: "bench")
    let now = HostClock().read().wallMilliseconds
    var seq = 0
    while seq < count {
      let records = (seq..<min(count, seq + 2000)).map {
        Journal.Record(SampleRecord.make(Int64($0) + 1, endingAt: now - Int64(count - $0) * 1000))
      }
      try await journal.commit(.init(records: records))
      seq += records.count
    }
    await journal.close()
  }
}
