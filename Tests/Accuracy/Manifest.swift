import FoundationEssentials

/// The recordings and what is known about them: `manifest.csv` and the files beside each recording.
struct Manifest {
  /// A recording.
  struct Row {
    let path: String
    let dataset: String
    let subject: String
    let placement: String
    let duration: Double
    let steps: Int?
    let activity: String
    let isDoubtful: Bool
  }

  let root: String
  let rows: [Row]

  init(root: String) throws {
    self.root = root
    var lines = try Files.lines("\(root)/manifest.csv").map { Manifest.fields($0) }
    let names = lines.removeFirst()
    rows = lines.map { fields in
      func field(_ name: String) -> String { names.firstIndex(of: name).map { fields[$0] } ?? "" }
      return Row(
        path: field("path"), dataset: field("dataset"), subject: "\(field("dataset"))/\(field("subject"))",
        placement: field("placement"), duration: Double(field("duration_s")) ?? 0,
        steps: Double(field("true_steps")).map { Int($0) }, activity: field("activity"),
        isDoubtful: field("notes").contains("doubtful"))
    }
  }

  /// The times of true steps, in s; nil where nobody noted them.
  func steps(_ row: Row) -> [Double]? {
    try? Files.lines("\(root)/\(row.path.dropLast(4)).steps").compactMap { Double($0) }
  }

  /// What went on from when to when, in s; empty where nobody noted it.
  func labels(_ row: Row) -> [(start: Double, end: Double, label: String)] {
    let lines = (try? Files.lines("\(root)/\(row.path.dropLast(4)).labels")) ?? []
    return lines.dropFirst().compactMap { line in
      let fields = Manifest.fields(line)
      guard fields.count == 3, let start = Double(fields[0]), let end = Double(fields[1]) else { return nil }
      return (start, end, fields[2])
    }
  }

  /// The fields of a line, quotes taken off.
  private static func fields(_ line: Substring) -> [String] {
    var fields = [""]
    var isQuoted = false
    for character in line {
      switch character {
      case "\"": isQuoted.toggle()
      case "," where !isQuoted: fields.append("")
      default: fields[fields.count - 1].append(character)
      }
    }
    return fields
  }
}
