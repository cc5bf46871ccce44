import SeededRandom
import Testing

@testable import steps2mqtt

@Suite struct CommandLineTests {
  @Test(
    arguments: [
      ("run", .run(exitAtEnd: false)),
      ("run --exit-at-end", .run(exitAtEnd: true)),
      ("check", .check),
      ("analyze a.csv", .analyze(files: ["a.csv"], json: false)),
      ("analyze a.csv --json b.csv", .analyze(files: ["a.csv", "b.csv"], json: true)),
      ("analyze --json -- --odd.csv -", .analyze(files: ["--odd.csv", "-"], json: true)),
      ("plot w.csv", .plot(recording: "w.csv", out: nil, row: nil)),
      ("plot -o w.svg --row 30 w.csv", .plot(recording: "w.csv", out: "w.svg", row: 30)),
      ("plot -o - -- -w.csv", .plot(recording: "-w.csv", out: "-", row: nil)),
      ("record --out w.csv", .record(out: "w.csv", seconds: nil)),
      ("record --seconds=2.5 --out=w.csv", .record(out: "w.csv", seconds: 2.5)),
      ("start watch-7", .send(.start(from: nil), device: .one("watch-7"), timeout: 10, json: false)),
      ("start watch-7 --from 90m", .send(.start(from: .ago(5400)), device: .one("watch-7"), timeout: 10, json: false)),
      (
        "start w --from 2026-11-30T08:00:00.5+01:00",
        .send(.start(from: .date(1_796_022_000_500)), device: .one("w"), timeout: 10, json: false)
      ),
      ("stop _all --timeout 3", .send(.stop, device: .all, timeout: 3, json: false)),
      ("status _group/red --json", .send(.status, device: .group("red"), timeout: 10, json: true)),
      (
        "query w --from 7d --to 1h --bucket 1d",
        .send(
          .query(from: .ago(604_800), to: .ago(3600), bucketSeconds: 86_400), device: .one("w"), timeout: 10,
          json: false)
      ),
      ("calibrate w --distance 400", .send(.calibrateDistance(400), device: .one("w"), timeout: 10, json: false)),
      ("calibrate w --step-length=0.7", .send(.calibrateStepLength(0.7), device: .one("w"), timeout: 10, json: false)),
      ("announce w", .send(.announce, device: .one("w"), timeout: 10, json: false)),
      ("regions w", .send(.regions, device: .one("w"), timeout: 10, json: false)),
      ("watch", .watch(seconds: nil, json: false)),
      ("watch --seconds 5 --json", .watch(seconds: 5, json: true)),
      ("demo", .demo(recording: nil, seconds: nil)),
      ("demo --recording w.csv --seconds 20", .demo(recording: "w.csv", seconds: 20)),
    ] as [(String, Command)])
  func `a command is read with its options`(line: String, command: Command) throws {
    #expect(try Request.parse(words(line)) == .invoke(Invocation(command: command)))
  }

  @Test(arguments: [
    "--config f.yaml --set a=1 run --set b=2", "run --config f.yaml --set a=1 --set b=2",
    "run --config=f.yaml --set=a=1 --set=b=2", "--set=a=1 --config=f.yaml run --set b=2",
  ])
  func `what all commands share may stand anywhere`(line: String) throws {
    let invocation = Invocation(command: .run(exitAtEnd: false), config: "f.yaml", overrides: ["a=1", "b=2"])
    #expect(try Request.parse(words(line)) == .invoke(invocation))
  }

  @Test(arguments: [
    ("", "no command is given; 'steps2mqtt run' is the agent, 'steps2mqtt --help' lists them all"),
    ("rnu", "there is no command 'rnu'; did you mean run?"),
    ("analyse a.csv", "there is no command 'analyse'; did you mean analyze?"),
    ("frobnicate", "there is no command 'frobnicate'; 'steps2mqtt --help' lists them all"),
    ("--verison", "there is no option --verison; did you mean --version?"),
    ("run --exit-at-ends", "run has no option --exit-at-ends; did you mean --exit-at-end?"),
    ("check --json", "check has no option --json; see 'steps2mqtt check --help'"),
    ("run -x", "run has no option -x; see 'steps2mqtt run --help'"),
    ("run --exit-at-end=yes", "--exit-at-end takes no value"),
    ("run extra", "'extra' is one word too many; write 'steps2mqtt run [--exit-at-end]'"),
    ("run --config", "--config needs a value: --config FILE"),
    ("--config", "no command is given; 'steps2mqtt run' is the agent, 'steps2mqtt --help' lists them all"),
    ("run --config a --config b", "--config is given twice; keep one"),
    (
      "run --set mqtt.root",
      "--set mqtt.root has no value; write --set KEY=VALUE, such as --set mqtt.root=home/steps"
    ),
    ("run --set =x", "--set =x has no value; write --set KEY=VALUE, such as --set mqtt.root=home/steps"),
    ("analyze", "analyze needs FILE…; write 'steps2mqtt analyze [--json] FILE…'"),
    ("plot", "plot needs RECORDING; write 'steps2mqtt plot [-o FILE] [--row S] RECORDING'"),
    ("plot a b", "'b' is one word too many; write 'steps2mqtt plot [-o FILE] [--row S] RECORDING'"),
    ("plot a -o=", "-o needs the name of a file"),
    ("plot a --row 0", "--row '0' is not a number of seconds above 0"),
    ("record", "record needs --out FILE; write 'steps2mqtt record --out FILE [--seconds N]'"),
    ("record --out", "--out needs a value: --out FILE"),
    ("record --out=", "--out needs the name of a file"),
    ("record --out w --seconds 0", "--seconds '0' is not a number of seconds above 0"),
    ("record --out w --seconds -1", "--seconds '-1' is not a number of seconds above 0"),
    ("demo --seconds soon", "--seconds 'soon' is not a number of seconds above 0"),
    ("demo --seconds 1e99", "--seconds '1e99' is not a number of seconds above 0"),
    ("start", "start needs DEVICE; write 'steps2mqtt start [--from TIME] [--timeout S] [--json] DEVICE'"),
    ("start a b", "'b' is one word too many; write 'steps2mqtt start [--from TIME] [--timeout S] [--json] DEVICE'"),
    (
      "stop a/b",
      "'a/b' is no device; write its id (A-Z a-z 0-9 _ -), _group/NAME, or _all for every device"
    ),
    (
      "start w --from yesterday",
      "--from 'yesterday' is not a time; write 2026-11-30T08:00:00Z, or how long ago: 90m, 2h, 7d"
    ),
    (
      "query w",
      "query needs --from TIME; write 'steps2mqtt query --from TIME [--to TIME] [--bucket SPAN] [--timeout S] [--json] DEVICE'"
    ),
    (
      "query w --from 1d --bucket 5s",
      "--bucket '5s' is not a length of time of at least a minute; write 15m, 1h or 1d"
    ),
  ])
  func `wrong use is one line that says what would be right`(line: String, message: String) {
    let error = #expect(throws: UsageError.self) { try Request.parse(words(line)) }
    #expect(error?.message == message)
  }

  @Test(arguments: ["--help", "-h", "help", "--set a=1 --help"])
  func `the overview has every command`(line: String) throws {
    guard case .help(let text) = try Request.parse(words(line)) else {
      Issue.record("no help")
      return
    }
    for specification in Specification.all { #expect(text.contains("  \(specification.name) ")) }
  }

  @Test(arguments: Specification.all.map(\.name))
  func `every command has a page with its options and with examples that it takes`(name: String) throws {
    let specification = try #require(Specification.all.first { $0.name == name })
    for line in ["\(name) --help", "\(name) -h", "help \(name)"] {
      #expect(try Request.parse(words(line)) == .help(Help.page(of: specification)))
    }
    let page = Help.page(of: specification)
    for option in specification.options { #expect(page.contains(option.usage)) }
    for example in specification.examples {
      #expect(page.contains(example.line))
      let line = example.line.split(separator: " ").drop { $0 != "steps2mqtt" }.dropFirst().map(String.init)
      guard case .invoke(let invocation) = try Request.parse(line) else {
        Issue.record("'\(example.line)' invokes nothing")
        continue
      }
      var reader = SettingsReader()
      reader.take(options: invocation.overrides)
      #expect(reader.faults == [])
    }
  }

  @Test(arguments: Specification.all.map(\.name))
  func `help fits a terminal: 100 columns for the overview, 120 for a page`(name: String) throws {
    let specification = try #require(Specification.all.first { $0.name == name })
    for line in Help.page(of: specification).split(separator: "\n") { #expect(line.count <= 120, "\(line)") }
    for line in Help.overview.split(separator: "\n") { #expect(line.count <= 100, "\(line)") }
  }

  @Test func `run's page lists every setting`() throws {
    let page = Help.page(of: try #require(Specification.all.first))
    for setting in Schema.settings { #expect(page.contains("  \(setting.key)=")) }
  }

  @Test func `the version is asked for`() throws { #expect(try Request.parse(["--version"]) == .version) }

  @Test func `any words are read or refused, none traps`() {
    var random = SplitMix(seed: 3)
    let pool =
      Specification.all.map(\.name) + Specification.all.flatMap { $0.options.map(\.name) }
      + ["--", "-", "=", "--=", "--set", "--set=", "a=b", "--config=x", "1", "7d", "9999999999d", "\u{0}", "", "é"]
    var accepted = 0
    for _ in 0..<2000 {
      let line = (0..<(random.next() % 6)).map { _ in pool[Int(random.next() % UInt64(pool.count))] }
      if (try? Request.parse(line)) != nil { accepted += 1 }
    }
    #expect(accepted > 20 && accepted < 1980)
  }

  private func words(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }
}
