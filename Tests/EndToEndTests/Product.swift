import BrokerTesting
import Foundation

/// The built program, as a user runs it.
enum Product {
  /// It lies beside the test bundle.
  static let path = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "steps2mqtt").path

  /// What a run of it came to.
  struct Result {
    let status: Int32
    /// What it printed, complaints included.
    let output: String
  }

  /// Runs it to its end.
  static func run(_ arguments: String...) async throws -> Result { try await run(arguments) }

  /// Runs it to its end.
  static func run(_ arguments: [String]) async throws -> Result {
    let file = FileManager.default.temporaryDirectory.appending(path: "steps2mqtt-output-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    let child = try Child(path, arguments, output: file.path)
    let status = try await apart { child.wait() }
    return Result(status: status, output: String(decoding: try Data(contentsOf: file), as: UTF8.self))
  }

  /// The steps that `analyze` counts in a recording.
  static func count(_ recording: URL) async throws -> Int {
    JSON(try await run("analyze", "--json", recording.path).output)["steps"].int
  }
}
