import Glibc
import Journal

/// A directory of one test, removed with all it holds when the test ends.
final class Scratch: Sendable {
  struct Failure: Error {}

  let path: String

  init() throws {
    var template = Array("/tmp/journal-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw Failure() }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    Self.remove(path)
  }

  var database: String { "\(path)/steps2mqtt.sqlite" }
  var log: String { database + "-wal" }

  /// The names in the directory, sorted.
  func names() -> [String] { Self.names(in: path) }

  /// A journal's configuration in this directory, or in one below it.
  func configuration(
    _ name: String? = nil, maximumBytes: Int64 = 64 << 20, freeDiskFloor: Int64 = 0
  ) -> Journal.Configuration {
    Journal.Configuration(
      directory: name.map { "\(path)/\($0)" } ?? path, maximumBytes: maximumBytes, freeDiskFloor: freeDiskFloor)
  }

  static func names(in path: String) -> [String] {
    guard let directory = unsafe opendir(path) else { return [] }
    defer { _ = unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  static func read(_ file: String) throws -> [UInt8] {
    guard let stream = unsafe fopen(file, "r") else { throw Failure() }
    defer { _ = unsafe fclose(stream) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe fread(&buffer, 1, buffer.count, stream)
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  static func write(_ bytes: [UInt8], to file: String) throws {
    guard let stream = unsafe fopen(file, "w") else { throw Failure() }
    defer { _ = unsafe fclose(stream) }
    guard unsafe fwrite(bytes, 1, bytes.count, stream) == bytes.count else { throw Failure() }
  }

  private static func remove(_ path: String) {
    for name in names(in: path) {
      if unsafe unlink("\(path)/\(name)") != 0 { remove("\(path)/\(name)") }
    }
    _ = unsafe rmdir(path)
  }
}
