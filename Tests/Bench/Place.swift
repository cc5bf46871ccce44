import FoundationEssentials
import Glibc
import Host

/// A directory beside the program for the files of a section; it goes with its value.
///
/// Beside the program rather than in the system's temporary directory, which may lie in memory: a forced write would
/// then cost nothing.
final class Place {
  let path: String
  /// The programs' directory.
  static let programs = "/proc/self/exe".resolved.parent

  init(in parent: String = Place.programs) throws {
    var template = Array("\(parent)/bench-XXXXXX".utf8CString)
    path = try unsafe template.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress, let path = unsafe mkdtemp(base) else {
        throw Unmeasured("\(parent) cannot be written")
      }
      return unsafe String(cString: path)
    }
  }

  deinit {
    // What cannot be removed goes with `make clean`.
    try? FileManager.default.removeItem(atPath: path)
  }

  /// What its files take, in bytes.
  var bytes: Int { bytes(below: ".") }

  /// What the files of one of its directories take, in bytes.
  func bytes(below directory: String) -> Int {
    let path = "\(path)/\(directory)"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.reduce(0) { sum, name in
      var status = stat()
      return unsafe stat("\(path)/\(name)", &status) == 0 ? sum + Int(status.st_size) : sum
    }
  }

  /// The kind of file system that it lies on.
  var fileSystem: String {
    let text = String(decoding: (try? SmallFile.read("/proc/mounts", limit: 1 << 20).bytes) ?? [], as: UTF8.self)
    let mounts = text.split(separator: "\n").map { $0.split(separator: " ") }.filter { $0.count > 2 }
    let own = mounts.filter { path.hasPrefix($0[1] == "/" ? "/" : $0[1] + "/") }.max { $0[1].count <= $1[1].count }
    guard let kind = own?[2] else { return "an unknown file system" }
    return kind == "tmpfs" ? "tmpfs, in memory: forced writes cost nothing here" : String(kind)
  }
}

extension String {
  /// The path that a link leads to.
  fileprivate var resolved: String {
    guard let real = unsafe realpath(self, nil) else { return self }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }

  /// The path without its last part.
  var parent: String { lastIndex(of: "/").map { String(self[..<$0]) } ?? "." }
}
