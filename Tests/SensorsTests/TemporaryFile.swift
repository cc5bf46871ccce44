import Foundation

/// A file of a test, removed when the test lets go of it.
final class TemporaryFile {
  let path: String

  /// A path at which nothing is yet.
  init() {
    path = FileManager.default.temporaryDirectory.appending(path: "sensors-\(UUID().uuidString)").path
  }

  convenience init(_ text: String) throws {
    self.init()
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var text: String {
    get throws { String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self) }
  }
}
