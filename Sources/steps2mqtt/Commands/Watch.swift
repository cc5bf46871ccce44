import Host
import MQTT
import Wire

/// `watch`: all devices below the root, live.
struct Watch {
  let settings: Settings
  let seconds: Double?
  let json: Bool

  func run() async throws -> ExitStatus {
    let signals = try Signals([.terminate, .interrupt])
    let client = try RemoteClient(settings, role: "watch", topics: ["\(settings.mqtt.root)/#"])
    return await withTaskGroup(of: ExitStatus.self) { group in
      group.addTask { await watch(client) }
      group.addTask {
        for await _ in signals.received { break }
        return .done
      }
      defer { group.cancelAll() }
      return await group.next() ?? .done
    }
  }

  /// Shows messages until the time is over; fails when there was no connection in all that time.
  private func watch(_ client: RemoteClient) async -> ExitStatus {
    let narrator = Narrator()
    var wasConnected = false
    var complaint: String?
    _ = await client.listen(for: seconds.map { .seconds($0) }) { report -> Never? in
      switch report {
      case .ready:
        wasConnected = true
        complaint = nil
      case .unavailable(let error):
        if complaint != error.message { Console.complain(error.message) }
        complaint = error.message
      case .message(let message):
        if json {
          let content = JSONValue(json: message.payload) ?? .string(String(decoding: message.payload, as: UTF8.self))
          let line = JSONText.object { text in
            text.member("topic", message.topic)
            text.member("payload", content)
          }
          Console.print(String(decoding: line, as: UTF8.self))
        } else if let heard = DeviceMessage(message, root: settings.mqtt.root) {
          for line in narrator.lines(heard) { Console.print(line) }
        }
      }
      return nil
    }
    return wasConnected ? .done : .failed
  }
}
