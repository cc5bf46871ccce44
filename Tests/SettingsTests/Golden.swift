import Glibc

/// The project that holds the tests.
enum Repository {
  static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
}

/// Files that hold what is expected; `RECORD_GOLDEN=1` writes them anew.
enum Golden {
  static let isRecorded = unsafe getenv("RECORD_GOLDEN") != nil

  static func read(_ path: String) throws -> String {
    String(decoding: try bytes(of: path), as: UTF8.self)
  }

  static func bytes(of path: String) throws -> [UInt8] {
    guard let file = unsafe fopen(path, "r") else { throw GoldenError(path: path) }
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = unsafe getc(file), byte != EOF { bytes.append(UInt8(byte)) }
    return bytes
  }

  static func write(_ text: String, to path: String) throws {
    guard let file = unsafe fopen(path, "w") else { throw GoldenError(path: path) }
    unsafe fputs(text, file)
    unsafe fclose(file)
  }

  /// The names without extension of the files in a directory that end so.
  static func names(in directory: String, ending: String) -> [String] {
    guard let stream = unsafe opendir(directory) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasSuffix(ending) { names.append(String(name.dropLast(ending.count))) }
    }
    return names.sorted()
  }
}

/// A file of the tests that cannot be opened.
struct GoldenError: Error {
  let path: String
}
