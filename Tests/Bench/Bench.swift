import Glibc
import Host

/// Measures speed and footprint in one run, and prints a table a subject; no product.
@main
enum Bench {
  /// The subjects in their order; each tells by itself what it could not measure.
  private static let sections: [(name: String, run: @Sendable () async throws -> Void)] = [
    ("engine", { EngineSection().run() }),
    ("recordings", { try RecordingSection().run() }),
    ("journal", { try await JournalSection().run() }),
    ("outage", { try await OutageSection().run() }),
    ("replay", { try await ReplaySection().run() }),
    ("footprint", { try FootprintSection().run() }),
  ]
  /// What takes minutes, and runs only when it is asked for.
  private static let long: [(name: String, run: @Sendable () async throws -> Void)] = [
    ("week", { try await WeekSection().run() })
  ]

  static func main() async {
    let wanted = CommandLine.arguments.dropFirst()
    let known = sections + long
    guard wanted.allSatisfy({ name in known.contains { $0.name == name } }) else {
      try? Terminal(.error).write("usage: bench [\(known.map(\.name).joined(separator: " | "))]…\n")
      exit(2)
    }
    let memory = sysconf(CInt(_SC_PHYS_PAGES)) / 1024 * sysconf(CInt(_SC_PAGESIZE)) / 1024
    say("\(sysconf(CInt(_SC_NPROCESSORS_ONLN))) processors, \(memory) MiB, load \(Computer.load); \(Computer.name)")
    var status: CInt = 0
    for section in wanted.isEmpty ? sections : known.filter({ wanted.contains($0.name) }) {
      do {
        try await section.run()
      } catch {
        say("  \(section.name): not measured: \(error)")
        status = 1
      }
    }
    exit(status)
  }
}

/// What the figures were measured on.
enum Computer {
  /// The processor's name, as the kernel gives it.
  static var name: String {
    let text = (try? SmallFile.read("/proc/cpuinfo", limit: 1 << 20).bytes) ?? []
    let line = text.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: "model name".utf8) }
    let value = line?.split(separator: UInt8(ascii: ":")).last ?? []
    return String(decoding: value.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
  }

  /// How many processes wanted a processor in the last minute: above the number of processors, figures suffer.
  static var load: String {
    let text = (try? SmallFile.read("/proc/loadavg", limit: 4096).bytes) ?? []
    return String(decoding: text.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)
  }
}
