import BrokerTesting
import Foundation
import Motion
import Sensors

/// A broker, a subscriber, a recorded walk and a place for journals: what most of these tests need.
final class Workplace: Sendable {
  let directory: URL
  let broker: TestBroker
  let recording: URL

  /// Makes it all; the walk lasts some two minutes, with pauses.
  init(seed: UInt64 = 1, isPersistent: Bool = false, broker options: [String] = [], access: [String] = []) throws {
    directory = FileManager.default.temporaryDirectory.appending(path: "steps2mqtt-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    broker = try TestBroker(isPersistent: isPersistent, options: options, access: access)
    recording = directory.appending(path: "walk.csv")
    let walk = SyntheticWalk(SyntheticWalk.Configuration(seed: seed))
    var writer = try RecordingWriter(path: recording.path)
    try writer.write(Array(walk.samples(rate: 50)))
    try writer.flush()
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  var port: UInt16 { broker.port }

  /// A directory for a journal.
  func journal(_ name: String = "journal") -> URL { directory.appending(path: name) }

  /// A subscriber to everything.
  func subscriber() async throws -> Subscriber { try await Subscriber(port: port, in: directory) }

  /// Sends a command to a device and waits for the answer that carries its id.
  func order(_ device: String, _ payload: String, id: String, heardBy subscriber: Subscriber) async throws -> JSON {
    let before = subscriber.messages(device, "response").count
    try await publish("steps2mqtt/\(device)/command", payload, port: port)
    return try await wait("the answer to \(id)") {
      subscriber.messages(device, "response").dropFirst(before).map(\.json).first { $0["id"].text == id }
    }
  }
}
