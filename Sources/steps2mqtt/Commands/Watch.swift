import Host
import MQTT

/// `watch`: all devices below the root, live.
struct Watch {
  let settings: Settings
  let seconds: Double?
  let json: Bool

  func run() async throws -> ExitStatus {
    let signals = try Signals([.terminate, .interrupt])
    let station = try Station(settings, role: "watch", topics: ["\(settings.mqtt.root)/#"])
    return await withTaskGroup(of: ExitStatus.self) { group in
      group.addTask { await watch(station) }
      group.addTask {
        for await _ in signals.received { break }
        return .done
      }
      defer { group.cancelAll() }
      return await group.next() ?? .done
    }
  }

  /// Shows messages until the time is over; fails when there was no connection in all that time.
  private func watch(_ station: Station) async -> ExitStatus {
    let narrator = Narrator()
    var wasConnected = false
    var complaint: String?
    _ = await station.listen(for: seconds.map { .seconds($0) }) { report -> Never? in
      switch report {
      case .ready:
        wasConnected = true
        complaint = nil
      case .unavailable(let error):
        if complaint != error.message { Console.complain(error.message) }
        complaint = error.message
      case .message(let message):
        if json {
          Console.print(
            "{\"topic\":\"\(message.topic)\",\"payload\":\(String(decoding: message.payload, as: UTF8.self))}")
        } else if let telegram = Telegram(message, root: settings.mqtt.root) {
          for line in narrator.lines(telegram) { Console.print(line) }
        }
      }
      return nil
    }
    return wasConnected ? .done : .failed
  }
}
