import FoundationEssentials
import Host
import MQTT
import Wire

/// `start`, `stop`, `status`, `query`, `calibrate`, `announce`, `regions`: a command to a device, and its answer.
struct SendCommand {
  let settings: Settings
  let command: RemoteCommand
  let device: Device
  let timeout: Double
  let json: Bool

  /// What came of waiting for answers.
  private enum Outcome {
    case answered
    case failed(MQTTError)
  }

  func run() async throws -> ExitStatus {
    let id = "cli-\(String(UInt64.random(in: .min ... .max), radix: 36))"
    let message = make(id: id, now: HostClock().read().wallMilliseconds)
    let root = settings.mqtt.root
    let client = try RemoteClient(settings, role: "command", topics: [Topics(root: root, device: answering).response])
    var answers = 0
    var refusals = 0
    var progress = ProgressLine()
    defer { progress.clear() }
    let outcome = await client.listen(for: .seconds(timeout)) { report -> Outcome? in
      switch report {
      case .ready:
        client.publish(
          Topics(root: root, device: address).command, message.json, expiry: UInt32(timeout.rounded(.up)))
        progress.show(nil, "waiting for \(name), at most \(Text.number(timeout, 0)) s")
        return nil
      case .unavailable(let error): return .failed(error)
      case .message(let answer):
        guard let heard = DeviceMessage(answer, root: root), heard["id"]?.text == id else { return nil }
        answers += 1
        if !Self.isDone(heard) { refusals += 1 }
        progress.clear()
        show(heard, answer)
        return isSingle ? .answered : nil
      }
    }
    if case .failed(let error) = outcome { throw error }
    guard answers > 0 else {
      Console.complain(
        "no answer from \(name) within \(Text.number(timeout, 0)) s: is it online? 'steps2mqtt watch' shows who is")
      return .failed
    }
    return refusals == 0 ? .done : .failed
  }

  /// Whether an answer says that the command took effect; a `duplicate` repeats the first answer, which its code tells.
  private static func isDone(_ answer: DeviceMessage) -> Bool {
    switch answer["status"]?.text {
    case "done": true
    case "duplicate": ["ok", "already_started"].contains(answer["code"]?.text)
    default: false
    }
  }

  private var isSingle: Bool {
    switch device {
    case .one: true
    case .group, .all: false
    }
  }

  private var name: String {
    switch device {
    case .one(let id): id
    case .group(let group): "any device of the group \(group)"
    case .all: "any device"
    }
  }

  /// The level of the topic that is commanded.
  private var address: String {
    switch device {
    case .one(let id): id
    case .group(let group): "\(Topics.group)/\(group)"
    case .all: Topics.everyone
    }
  }

  /// The level of the topics on which answers come.
  private var answering: String {
    switch device {
    case .one(let id): id
    case .group, .all: "+"
    }
  }

  private func make(id: String, now: Int64) -> Wire.Command {
    let verb: Wire.Command.Verb =
      switch command {
      case .start(let from): .start(from: from.map { $0.time(at: now) })
      case .stop: .stop
      case .status: .status
      case .query(let from, let to, let bucket):
        .query(
          from: from.time(at: now), to: to.map { $0.time(at: now) },
          bucket: bucket.map { Int64($0) * 1000 })
      case .calibrateDistance(let distance): .calibrateDistance(distance)
      case .calibrateStepLength(let length): .calibrateStepLength(length)
      case .announce: .announce
      case .regions: .regions
      }
    // The device may be asleep: what it wakes up to later than we wait for is not wanted any more.
    return Wire.Command(id: id, verb, issued: now, lifetime: Int64((timeout * 1000).rounded()))
  }

  private func show(_ heard: DeviceMessage, _ message: IncomingMessage) {
    if json {
      Console.print(String(decoding: message.payload, as: UTF8.self))
      return
    }
    for line in Narrator().lines(heard) { Console.print(line) }
    let state = heard["state"] ?? .null
    if let steps = state["session_steps"]?.count {
      let session =
        state["started"]?.isTrue == true ? "counting since \(state["session_start"]?.text ?? "?")" : "stopped"
      let sensor = state["sensor"]?.text == "absent" ? "; its sensor cannot be read" : ""
      Console.print("  \(session), \(steps) steps, today \(state["today_steps"]?.count ?? 0)\(sensor)")
    }
    switch command {
    case .query: if let sums = heard["data"], sums != .null { show(sums: sums) }
    case .regions: show(regions: heard["data"]?["regions"] ?? .null)
    case .start(.some) where heard["code"]?.text == "already_started":
      Console.print("  a session was running: --from changes nothing before a stop")
    case .start, .stop, .status, .calibrateDistance, .calibrateStepLength, .announce: break
    }
  }

  private func show(regions: JSONValue) {
    guard case .array(let regions) = regions else { return }
    for region in regions {
      let words = ["id", "state", "name"].map { region[$0]?.text?.printable(at: 64) ?? "?" }
      let radius = Text.number(region["radius_m"]?.double ?? 0, 0)
      Console.print("  \(words[0]): \(words[1]) (\(words[2].isEmpty ? "" : "\(words[2]), ")\(radius) m)")
    }
  }

  private func show(sums data: JSONValue) {
    var rows: [(title: String, sums: JSONValue)] = []
    if case .array(let buckets) = data["buckets"] { rows = buckets.map { ("", $0) } }
    rows.append((rows.isEmpty ? "" : "in all  ", data))
    for (title, row) in rows {
      let span = "\(row["start"]?.text ?? "?") … \(row["end"]?.text ?? "?")"
      let distance = row["distance_m"]?.double.map { ", \(Text.number($0, 0)) m" } ?? ""
      Console.print("  \(title)\(span)  \(row["steps"]?.count ?? 0) steps\(distance)")
    }
  }
}
