import Foundation
import Motion
import Sensors

@testable import steps2mqtt

/// A folder for a recording and its truth; it goes when the test ends.
final class Folder {
  let path: String
  private let stem: String

  var recording: String { "\(path)/\(stem).csv" }

  init(stem: String = "walk") throws {
    path = FileManager.default.temporaryDirectory.appending(path: "plot-\(UUID().uuidString)").path
    self.stem = stem
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ text: String, to name: String) throws {
    try text.write(toFile: "\(path)/\(name)", atomically: false, encoding: .utf8)
  }

  /// Writes a computed walk, and the steps that are to be held for true.
  func write(_ segments: [SyntheticWalk.Segment], truth: ((SyntheticWalk) -> [Double])? = nil) throws {
    var configuration = SyntheticWalk.Configuration()
    configuration.segments = segments
    let walk = SyntheticWalk(configuration)
    var writer = try RecordingWriter(path: recording)
    try writer.write(walk.samples(rate: 50))
    try writer.flush()
    if let truth { try write(truth(walk).map { "\($0)\n" }.joined(), to: "\(stem).steps") }
  }

  func picture(row: Double? = nil) throws -> Picture {
    var envelope = Envelope()
    let analysis = try Analysis(of: recording, wearer: Pedometer.Configuration(), look: { envelope.take($0) })
    return try Picture(of: analysis, envelope, truth: try Truth(beside: recording), row: row)
  }
}
