import Glibc
import Host

extension Truth {
  /// The largest file that is read, in bytes: a month of steps.
  private static let limit = 1 << 24

  /// Reads the files that lie beside a recording: `walk.steps` and `walk.labels` beside `walk.csv`.
  ///
  /// A file that is not there is nothing known; one that cannot be understood is an error, since a picture with half a
  /// truth would mislead.
  init(beside recording: String) throws {
    let stem = FileName(recording).stem
    if let lines = try Self.lines(of: stem + ".steps") { steps = try Self.steps(in: lines, of: stem + ".steps") }
    if let lines = try Self.lines(of: stem + ".labels") {
      let all = try Self.stretches(in: lines, of: stem + ".labels")
      stretches = all.filter { $0.end >= $0.start }
      reversed = all.count - stretches.count
    }
  }

  /// The times in lines of `.steps`, in order.
  static func steps(in lines: [Substring], of path: String) throws(PlotError) -> [Double] {
    var steps: [Double] = []
    for (index, line) in lines.enumerated() {
      let text = line.trimmingSpaces
      if text.isEmpty || text.hasPrefix("#") { continue }
      guard let time = text.asDecimal, time.isFinite else {
        throw PlotError("\(path):\(index + 1): '\(text.shown)' is not the time of a step in s, such as 12.345")
      }
      steps.append(time)
    }
    return steps.sorted()
  }

  /// The stretches in lines `start_s,end_s,label`, with or without a header.
  static func stretches(in lines: [Substring], of path: String) throws(PlotError) -> [Stretch] {
    var stretches: [Stretch] = []
    for (index, line) in lines.enumerated() {
      let text = line.trimmingSpaces
      if text.isEmpty || text.hasPrefix("#") || (index == 0 && text.hasPrefix("start")) { continue }
      let fields = text.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false).map(\.trimmingSpaces)
      guard fields.count == 3, let start = fields[0].asDecimal, let end = fields[1].asDecimal, start.isFinite,
        end.isFinite, !fields[2].isEmpty
      else {
        throw PlotError(
          "\(path):\(index + 1): '\(text.shown)' is not start,end,label in s, such as 12.5,60,walking")
      }
      stretches.append(Stretch(start: start, end: end, label: fields[2]))
    }
    return stretches
  }

  private static func lines(of path: String) throws(HostError) -> [Substring]? {
    do {
      let bytes = try SmallFile.read(path, limit: limit).bytes
      return String(decoding: bytes, as: UTF8.self).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    } catch {
      if error.code == ENOENT { return nil }
      throw error
    }
  }
}

/// The name of a file, taken apart.
struct FileName: Equatable {
  /// All of it but the ending: `data/walk` of `data/walk.csv`.
  var stem: String
  /// Without the directories: `walk.csv`.
  var last: String

  init(_ path: String) {
    let last = path.split(separator: "/").last.map(String.init) ?? path
    let ending = last.lastIndex(of: ".").map { last.distance(from: $0, to: last.endIndex) } ?? 0
    self.last = last
    stem = ending == last.count ? path : String(path.dropLast(ending))
  }
}
