extension Specification {
  /// All commands, in the order of help.
  static let all = [run, check, analyze, plot, record] + orders + [watch, demo]

  private static let run = Specification(
    name: "run", summary: "Runs the agent in the foreground, until SIGTERM or Ctrl-C.",
    details: ["Every setting can be given in the file, in the environment and by --set, the", "last of these wins."],
    options: [Option("--exit-at-end", "leaves when the recording has ended and everything is acknowledged")],
    examples: [
      ("steps2mqtt run --config /etc/steps2mqtt/steps2mqtt.yaml", "as the service does"),
      ("steps2mqtt run --set sensor.source=synthetic --set journal.directory=/tmp/steps", "without a sensor"),
      ("STEPS2MQTT_MQTT_BROKERS=mqtts://broker:8883 steps2mqtt run", "a setting from the environment"),
    ],
    make: { arguments in .run(exitAtEnd: arguments.has("--exit-at-end")) })

  private static let check = Specification(
    name: "check", summary: "Validates the configuration, then tries sensor, journal and broker.",
    examples: [("steps2mqtt check --config Config/steps2mqtt.yaml", "a line for each thing, and what to do")],
    make: { _ in .check })

  private static let analyze = Specification(
    name: "analyze", summary: "Counts the steps of recordings, as fast as the machine allows.",
    details: ["A recording is a CSV of t,x,y,z: seconds, and g with gravity."],
    options: [.json], operands: .files,
    examples: [
      ("steps2mqtt analyze walk.csv", "steps, distance, pauses and activities"),
      ("steps2mqtt analyze --json *.csv", "one object a recording"),
      ("steps2mqtt analyze --set wearer.height_m=1.85 walk.csv", "the distance of a taller wearer"),
    ],
    make: { arguments in .analyze(files: arguments.operands, json: arguments.has("--json")) })

  private static let plot = Specification(
    name: "plot", summary: "Draws a recording: the signal, each step, pauses, cadence, activities, and the truth.",
    details: [
      "Steps and activities that are known to be true are read from the files beside the",
      "recording: walk.steps (the time of a step a line, in s) and walk.labels (lines",
      "start,end,activity) beside walk.csv. What the engine missed or made up is red.",
    ],
    options: [
      Option("-o", "FILE", "where to write; without it walk.svg in the current directory, - for standard output"),
      Option("--row", "S", "how much time a row shows, in s; without it what fits a sheet of paper"),
    ], operands: .recording,
    examples: [
      ("steps2mqtt plot walk.csv", "writes walk.svg"),
      ("steps2mqtt plot -o /tmp/day.svg --row 300 day.csv", "five minutes a row, to look closely"),
    ],
    make: { arguments throws(UsageError) in
      if arguments.text("-o") == "" { throw UsageError("-o needs the name of a file") }
      return .plot(
        recording: arguments.operands[0], out: arguments.text("-o"), row: try arguments.seconds("--row"))
    })

  private static let record = Specification(
    name: "record", summary: "Writes the configured sensor to a CSV that analyze and run can read.",
    options: [
      Option("--out", "FILE", "where to write", isRequired: true),
      Option("--seconds", "N", "how long; without it until Ctrl-C"),
    ],
    examples: [("steps2mqtt record --out walk.csv --seconds 60", "a minute of walking")],
    make: { arguments throws(UsageError) in
      guard let out = arguments.text("--out"), !out.isEmpty else { throw UsageError("--out needs the name of a file") }
      return .record(out: out, seconds: try arguments.seconds("--seconds"))
    })

  private static let orders = [
    order(
      "start", "Tells a device to begin a session.",
      options: [Option("--from", "TIME", "counts from then, up to 7 days back; a time, or how long ago: 90m, 2h")],
      examples: [
        ("steps2mqtt start watch-7", "counts from now"), ("steps2mqtt start watch-7 --from 2h", "from two hours ago"),
        ("steps2mqtt start _all", "every device; _group/NAME for a group"),
      ]
    ) { arguments throws(UsageError) in .start(from: try arguments.moment("--from")) },
    order(
      "stop", "Tells a device to end its session.", examples: [("steps2mqtt stop watch-7", "the count is kept")]
    ) { _ in .stop },
    order(
      "status", "Asks a device how it is.",
      examples: [("steps2mqtt status watch-7 --set mqtt.brokers=mqtt://10.0.0.2:1883", "by another broker")]
    ) { _ in .status },
    order(
      "query", "Asks a device for the steps of a time that is past.",
      options: [
        Option("--from", "TIME", "the beginning: a time, or how long ago: 90m, 2h, 7d", isRequired: true),
        Option("--to", "TIME", "the end; without it now"),
        Option("--bucket", "SPAN", "also the sums of each 15m, 1h or 1d"),
      ],
      examples: [
        ("steps2mqtt query watch-7 --from 7d --bucket 1d", "a week, by spans of 24 h"),
        (
          "steps2mqtt query watch-7 --from 2026-11-30T08:00:00+01:00 --to 2026-11-30T12:00:00+01:00",
          "between two times"
        ),
      ]
    ) { arguments throws(UsageError) in
      guard let from = try arguments.moment("--from") else { throw UsageError("query needs --from TIME") }
      return .query(from: from, to: try arguments.moment("--to"), bucketSeconds: try arguments.span("--bucket"))
    },
    order(
      "calibrate", "Tells a device its wearer's step length, or the true length of the session so far.",
      options: [
        Option("--distance", "M", "what was walked in this session, in m"),
        Option("--step-length", "M", "the length of a step, in m"),
      ],
      examples: [
        ("steps2mqtt calibrate watch-7 --distance 400", "after a round on a track, since start"),
        ("steps2mqtt calibrate watch-7 --step-length 0.68", "as it was measured"),
      ]
    ) { arguments throws(UsageError) in
      switch (try arguments.metres("--distance"), try arguments.metres("--step-length")) {
      case (let distance?, nil): return .calibrateDistance(distance)
      case (nil, let length?): return .calibrateStepLength(length)
      default: throw UsageError("calibrate needs either --distance M or --step-length M")
      }
    },
    order(
      "announce", "Tells a device to say again who it is.",
      examples: [("steps2mqtt announce _all", "after a broker has forgotten what it kept")]
    ) { _ in .announce },
    order(
      "regions", "Asks a device for its places, where it may tell them.",
      examples: [("steps2mqtt regions watch-7", "whether its wearer is in them")]
    ) { _ in .regions },
  ]

  private static let watch = Specification(
    name: "watch", summary: "Shows all devices live.",
    options: [Option("--seconds", "N", "how long; without it until Ctrl-C"), .json],
    examples: [("steps2mqtt watch --set mqtt.brokers=mqtt://10.0.0.2:1883", "the devices of a broker")],
    make: { arguments throws(UsageError) in
      .watch(seconds: try arguments.seconds("--seconds"), json: arguments.has("--json"))
    })

  private static let demo = Specification(
    name: "demo", summary: "Shows it all: a broker of its own, the agent on a walk, and what a subscriber sees.",
    options: [
      Option("--recording", "FILE", "a CSV instead of the computed walk"),
      Option("--seconds", "N", "how long; without it until Ctrl-C"),
    ],
    examples: [("steps2mqtt demo --seconds 20", "ends by itself, with a summary")],
    make: { arguments throws(UsageError) in
      .demo(recording: arguments.text("--recording"), seconds: try arguments.seconds("--seconds"))
    })

  /// A command to a device; all of them wait for the answer in the same way.
  private static func order(
    _ name: String, _ summary: String, options: [Option] = [], examples: [(line: String, why: String)],
    _ make: @escaping @Sendable (Arguments) throws(UsageError) -> RemoteCommand
  ) -> Specification {
    Specification(
      name: name, summary: summary,
      details: ["The status is 0 when the device has done it, and 1 when it refused or did not answer."],
      options: options + [.timeout, .json], operands: .device, examples: examples,
      make: { arguments throws(UsageError) in
        .send(
          try make(arguments), device: try arguments.device(), timeout: try arguments.seconds("--timeout") ?? 10,
          json: arguments.has("--json"))
      })
  }
}
