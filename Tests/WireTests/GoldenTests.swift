import FoundationEssentials
import Motion
import Testing
import Wire

/// Every payload beside a file that shows it; `RECORD_GOLDEN=1` writes the files anew.
@Suite struct GoldenTests {
  static let topics = Topics(device: "p1", groups: ["yard"], homeAssistant: "homeassistant")

  static func record(_ kind: Record.Kind, body: [UInt8]) -> Record {
    Record(
      seq: 18_230, kind: kind, boot: "7f3c", monotonicStart: 91_224_447, monotonicEnd: 91_234_567,
      wallStart: 1_796_026_520_000, wallEnd: 1_796_026_530_120, synchronized: true, steps: kind == .steps ? 19 : 0,
      distance: 13.6, activeSeconds: 10.1, body: body)
  }

  static let steps = record(
    .steps,
    body: StepsBody(
      sessionSteps: 512, todaySteps: 5120, totalSteps: 184_223, distance: 13.604, cadence: 112.0 / 60, pace: 0.7426,
      activity: .walking
    ).members)

  static var climbed: Record {
    var climbed = steps
    (climbed.floorsAscended, climbed.floorsDescended) = (2, 0)
    return climbed
  }

  static let events: [EventBody] = [
    .started(reason: .command, steps: 0), .stopped(reason: .command, steps: 512), .pause(steps: 512),
    .resume(steps: 512), .activity(.walking, .high), .sensorLost(reason: "unplugged \"now\""),
    .sensorFound(sensor: "lis3dh"), .clockStep(milliseconds: -3_600_000),
    .outboxTrimmed(ranges: [1...3990, 3995...4000], steps: 9000, merged: true),
    .outboxTrimmed(ranges: [1...4000], steps: 9000, merged: false),
    .recordParked(seq: 7, steps: 19, reason: "too large"), .journalDamaged(file: "journal.damaged-1"),
    .recordsLost(count: 3, steps: 40), .regionEntered("home", determined: true, nil),
    .regionLeft("home", position),
    .sensorDegraded(faults: [.slow, .saturated]), .sensorRestored,
    .barometerLost(reason: "unplugged"), .barometerFound(sensor: "bmp280"),
    .epochStarted(reason: "lost"),
  ]

  static let position = Coordinate(latitude: 52.5163, longitude: 13.3777).map { Position($0, accuracy: 12.34) }

  static var state: DeviceState {
    var state = DeviceState(time: 1_796_026_530_120, epoch: "e1", seq: 18_231)
    state.started = true
    state.sessionStart = 1_796_026_000_000
    state.activity = .stationary
    state.confidence = .high
    (state.sessionSteps, state.todaySteps, state.totalSteps) = (512, 5120, 184_223)
    state.distance = 366.1
    state.activePace = 0.74
    state.sensor = .present
    state.synchronized = true
    return state
  }

  static var info: DeviceInfo {
    var info = DeviceInfo(
      device: "p1", name: "", version: "1.0.0", boot: "7f3c", epoch: "e1", agentStart: 1_796_026_000_000)
    info.libraries = ["sqlite": "3.40.1", "mosquitto": "2.0.11"]
    info.capabilities = [DeviceInfo.Capability("steps"), DeviceInfo.Capability("floors", missing: "no barometer")]
    info.authorization = .authorized
    info.sensor = "lis3dh"
    info.rate = 50
    info.zoneOffset = 3600
    info.configured = ["wearer.height_m": 1.8]
    return info
  }

  static var health: DeviceHealth {
    var health = DeviceHealth(time: 1_796_026_530_120, uptime: 86_400)
    health.residentBytes = 7_900_160
    health.sampleRate = 49.98
    health.outbox = 3
    health.journalFault = "no space left on device"
    return health
  }

  static var stateInRegion: DeviceState {
    var state = state
    state.regions = ["home", "street"]
    return state
  }

  static var notification: DeviceNotification? {
    TextTemplate("{steps} steps at {place}").map {
      DeviceNotification(state, name: "Anna's wrist", place: "Home", template: $0)
    }
  }

  static var healthOfPlace: DeviceHealth {
    var health = health
    health.location = "no position yet"
    health.positionsIgnored = 2
    return health
  }

  static let payloads: [(name: String, payload: [UInt8])] = {
    let synchronized = Record.Dating(synchronized: true)
    let live = steps.json(epoch: "e1", dating: synchronized, historical: false)
    var merged = record(.steps, body: StepsBody.merged(distance: 13.6, activeSeconds: 10.1))
    merged.replaces = 17_001...17_950
    var all: [(name: String, payload: [UInt8])] = [
      ("steps", live),
      ("steps-redated", steps.json(epoch: "e1", dating: .init(shift: 60_000, synchronized: false), historical: true)),
      ("steps-merged", merged.json(epoch: "e1", dating: synchronized, historical: true)),
      ("history", Record.batch([live, live])), ("history-empty", Record.batch([])),
      ("state", state.json), ("state-new", DeviceState(time: 0, epoch: "e1", seq: 0).json), ("info", info.json),
      ("state-in-a-region", stateInRegion.json),
      ("notification", notification?.json ?? []),
      ("health", health.json), ("health-of-a-place", healthOfPlace.json),
      ("discovery", Discovery(topics: topics, name: "Anna's wrist", version: "1.0.0").json),
      ("steps-floors", climbed.json(epoch: "e1", dating: synchronized, historical: false)),
      (
        "discovery-floors",
        Discovery(topics: topics, name: "Anna's wrist", version: "1.0.0", hasFloors: true).json
      ),
      (
        "response",
        Response(
          id: "a", command: "query", status: .done, code: .ok, data: Array(#"{"steps":1}"#.utf8), state: state.json,
          seq: 18_231, time: 1_796_026_530_120
        ).json
      ),
      (
        "response-refused",
        Response(
          id: nil, command: nil, status: .rejected, code: .tooLarge, reason: "5000 bytes", state: state.json,
          seq: 18_231, time: 1_796_026_530_120
        ).json
      ),
    ]
    for (index, event) in events.enumerated() {
      let payload = record(.event, body: event.members).json(epoch: "e1", dating: synchronized, historical: false)
      all.append(("event-\(index)-\(event.name)", payload))
    }
    let commands: [Command] = [
      Command(id: "a", .start(from: 1_796_026_000_000), issued: 1_796_026_500_000, lifetime: 60_000), Command(.stop),
      Command(id: "b", .query(from: 0, to: 86_400_000, bucket: 3_600_000)), Command(id: "c", .calibrateDistance(100)),
      Command(id: "d", .calibrateStepLength(0.7)), Command(id: "e", .configure(["wearer.height_m": .number(1.85)])),
      Command(id: "f", .status), Command(id: "g", .announce), Command(id: "h", .sync),
      Command(id: "i", .regions),
    ]
    for (index, command) in commands.enumerated() {
      all.append(("command-\(index)-\(command.verb.name)", command.json))
    }
    return all
  }()

  static let directory = String(#filePath.dropLast("WireTests/GoldenTests.swift".count)) + "Fixtures/Wire/"

  @Test(arguments: payloads.map(\.name))
  func `a payload is as its file shows it`(name: String) throws {
    let payload = try #require(Self.payloads.first { $0.name == name }?.payload)
    let path = Self.directory + name + ".json"
    if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" {
      try Data(payload + [0x0A]).write(to: URL(filePath: path))
    }
    let golden = try Data(contentsOf: URL(filePath: path))
    #expect(String(decoding: payload, as: UTF8.self) + "\n" == String(decoding: golden, as: UTF8.self))
    #expect(JSONValue(json: payload) != nil)
  }

  @Test(arguments: [steps, climbed, record(.event, body: EventBody.sensorRestored.members), record(.steps, body: [])])
  func `a record is never smaller than it says without being written`(record: Record) {
    var least = record
    (least.seq, least.monotonicEnd, least.steps) = (1, 0, 0)
    let dating = Record.Dating(synchronized: true)
    #expect(least.json(epoch: "", dating: dating, historical: true).count >= least.leastSize)
    #expect(record.leastSize > record.body.count + 100)
  }

  @Test func `no golden file is left of a payload that is gone`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.directory)
    #expect(Set(files) == Set(Self.payloads.map { $0.name + ".json" }))
  }

  @Test func `every field of a payload stands in the documentation`() throws {
    let root = #filePath.dropLast("Tests/WireTests/GoldenTests.swift".count)
    let page = String(decoding: try Data(contentsOf: URL(filePath: root + "Documentation/topics.md")), as: UTF8.self)
    for (name, payload) in Self.payloads where !name.hasPrefix("discovery") {
      for key in JSONValue(json: payload).map(Self.keys) ?? [] where !key.contains(".") && key != "libraries" {
        #expect(page.contains("`\(key)`"), "\(key) of \(name)")
      }
    }
    for event in Self.events { #expect(page.contains("`\(event.name)`"), "\(event.name)") }
    let topics = Topics(root: "<root>", device: "<id>", groups: ["<name>"], homeAssistant: "<prefix>")
    let own = [
      topics.availability, topics.info, topics.state, topics.steps, topics.event, topics.history, topics.notification,
      topics.health, topics.response, topics.check,
    ]
    for topic in own + topics.commands + [topics.discovery, topics.homeAssistantStatus].compactMap(\.self) {
      #expect(page.contains("`\(topic)`"), "\(topic)")
    }
  }

  /// The names of all members, at any depth.
  private static func keys(_ value: JSONValue) -> Set<String> {
    switch value {
    case .object(let members):
      members.reduce(into: []) { keys, member in
        keys.insert(member.key)
        if member.key != "libraries" { keys.formUnion(self.keys(member.value)) }
      }
    case .array(let values): values.reduce(into: []) { $0.formUnion(keys($1)) }
    case .null, .bool, .integer, .number, .string: []
    }
  }

  @Test func `a command that was written is read as the same`() throws {
    for (name, payload) in Self.payloads where name.hasPrefix("command") {
      #expect(try Command.decode(payload)?.json == payload, "\(name)")
    }
  }
}
