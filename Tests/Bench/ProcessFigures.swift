import Glibc
import Host

/// What the kernel says about a process at a moment.
struct ProcessFigures {
  private let moment = ContinuousClock.now
  /// Time on the processors since the start, in s.
  private let cpuSeconds: Double
  /// How often each of its threads has waited for something since it began.
  private let waits: [String: Int]
  /// Memory in use, shared libraries included, in bytes.
  let residentBytes: Int
  /// Memory that it shares with no other process, in bytes.
  let privateBytes: Int
  /// How many threads it has.
  var threads: Int { waits.count }

  /// How many descriptors it has open.
  let descriptors: Int

  /// Looks at a process.
  init(of process: pid_t) throws {
    let root = "/proc/\(process)"
    let sizes = Self.numbers(in: try Self.text("\(root)/smaps_rollup"))
    residentBytes = (sizes["Rss:"] ?? 0) * 1024
    privateBytes = ((sizes["Private_Clean:"] ?? 0) + (sizes["Private_Dirty:"] ?? 0)) * 1024
    // The name in the second field may hold blanks; the fields after it are counted from the third.
    let fields = try Self.text("\(root)/stat").split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else {
      throw Unmeasured("\(root)/stat is of another form")
    }
    cpuSeconds = Double(user + system) / Double(sysconf(CInt(_SC_CLK_TCK)))
    var waits: [String: Int] = [:]
    for thread in try Self.entries("\(root)/task") {
      waits[thread] = Self.numbers(in: try Self.text("\(root)/task/\(thread)/status"))["voluntary_ctxt_switches:"] ?? 0
    }
    self.waits = waits
    descriptors = try Self.entries("\(root)/fd").count
  }

  /// The wake-ups a second since an earlier look, of the threads that there are: those that came and went meanwhile, as
  /// Dispatch's do after 5 s without work, take their count along.
  func wakeUps(since other: ProcessFigures) -> Double {
    Double(waits.reduce(0) { $0 + $1.value - (other.waits[$1.key] ?? 0) }) / seconds(since: other)
  }

  /// The part of one processor since an earlier look, in percent.
  func load(since other: ProcessFigures) -> Double { (cpuSeconds - other.cpuSeconds) / seconds(since: other) * 100 }

  private func seconds(since other: ProcessFigures) -> Double { other.moment.duration(to: moment) / .seconds(1) }

  private static func text(_ path: String) throws -> String {
    String(decoding: try SmallFile.read(path, limit: 1 << 16).bytes, as: UTF8.self)
  }

  /// The numbers of lines `Name:   12 …`.
  private static func numbers(in text: String) -> [Substring: Int] {
    var numbers: [Substring: Int] = [:]
    for line in text.split(separator: "\n") {
      let words = line.split { $0 == " " || $0 == "\t" }
      if words.count > 1, let number = Int(words[1]) { numbers[words[0]] = number }
    }
    return numbers
  }

  private static func entries(_ path: String) throws -> [String] {
    guard let directory = unsafe opendir(path) else { throw Unmeasured("\(path) cannot be read") }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }
}
