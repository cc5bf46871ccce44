import BrokerTesting
import Foundation
import Glibc
import Testing

@Suite struct ProgramTests {
  @Test func `the demonstration ends by itself with steps, a pause and a resume`() async throws {
    let result = try await Product.run("demo", "--seconds", "15")
    #expect(result.status == 0, "\(result.output)")
    let summary = try #require(result.output.split(separator: "\n").last)
    let numbers = summary.split(separator: " ").compactMap { Int($0) }
    #expect(numbers.count == 3, "\(summary)")
    #expect(numbers.allSatisfy { $0 > 0 }, "\(summary)")
  }

  @Test func `check tells what works and fails with what does not`() async throws {
    let place = try Workplace()
    let broker = "mqtt.brokers=mqtt://127.0.0.1:\(place.port)"
    let fine = try await Product.run(
      "check", "--set", broker, "--set", "sensor.source=synthetic", "--set", "journal.directory=\(place.journal().path)"
    )
    #expect(fine.status == 0, "\(fine.output)")
    #expect(!fine.output.contains("FAILED"))
    #expect(!FileManager.default.fileExists(atPath: place.journal().path), "check leaves nothing behind")

    let closed = try TestBroker.freePort()
    let bad = try await Product.run(
      "check", "--set", "mqtt.brokers=mqtt://127.0.0.1:\(closed)", "--set", "sensor.recording.path=/nowhere.csv",
      "--set", "journal.directory=/proc/journal")
    #expect(bad.status == 1)
    for name in ["sensor", "journal", "connect"] {
      #expect(bad.output.contains("FAILED  \(name)"), "\(bad.output)")
    }
  }

  @Test func `a recorded sensor is analysed as the recording it became`() async throws {
    let place = try Workplace()
    let file = place.directory.appending(path: "recorded.csv").path
    let record = try await Product.run(
      "record", "--out", file, "--seconds", "3", "--set", "sensor.source=recording", "--set",
      "sensor.recording.path=\(place.recording.path)")
    #expect(record.status == 0, "\(record.output)")
    let report = JSON(try await Product.run("analyze", "--json", file).output)
    #expect(report["samples"].int == 151, "3 s at 50 Hz, both ends included")
  }

  @Test func `watch shows what comes as JSON, whatever it is, until it is interrupted`() async throws {
    let place = try Workplace()
    let output = place.directory.appending(path: "watched").path
    try await publish("steps2mqtt/a/availability", "online", port: place.port, retain: true)
    try await publish("steps2mqtt/a/state", #"{"v":1}"#, port: place.port, retain: true)
    let watching = try Child(
      Product.path, ["watch", "--json", "--set", "mqtt.brokers=mqtt://127.0.0.1:\(place.port)"], output: output)
    func lines() -> [JSON] {
      ((try? String(contentsOfFile: output, encoding: .utf8)) ?? "").split(separator: "\n").map { JSON(String($0)) }
    }
    try await wait("a word as a string") {
      lines().contains { $0["topic"].text == "steps2mqtt/a/availability" && $0["payload"].text == "online" }
        ? true : nil
    }
    try await wait("an object as itself") {
      lines().contains { $0["topic"].text == "steps2mqtt/a/state" && $0["payload"]["v"].int == 1 } ? true : nil
    }
    #expect(try await apart { watching.end(SIGINT) } == 0)
  }

  @Test(.timeLimit(.minutes(2))) func `a recording ends when no more samples come, with those that did`() async throws {
    let place = try Workplace()
    let (pipe, file) = (place.directory.appending(path: "pipe"), place.directory.appending(path: "few.csv"))
    try #require(unsafe mkfifo(pipe.path, 0o600) == 0)
    // Open for both, and so never at its end.
    let writer = try FileHandle(forUpdating: pipe)
    try writer.write(contentsOf: Data((0..<10).map { "\($0 * 20),0,0,1\n" }.joined().utf8))
    let result = try await Product.run(
      "record", "--out", file.path, "--seconds", "1", "--set", "sensor.source=lines", "--set",
      "sensor.lines.path=\(pipe.path)")
    try writer.close()
    #expect(result.status == 0, "\(result.output)")
    #expect(result.output.contains("10 samples"), "\(result.output)")
  }

  @Test(
    .timeLimit(.minutes(2)),
    arguments: [
      ["analyze", "EMPTY"], ["plot", "EMPTY"], ["analyze", "NOTHING"], ["demo", "--recording", "EMPTY"],
      ["demo", "--recording", "NOTHING"],
      ["run", "--exit-at-end", "--set", "sensor.source=recording", "--set", "sensor.recording.path=NOTHING"],
      ["record", "--out", "NOTHING/a.csv", "--set", "sensor.source=synthetic"],
      ["record", "--out", "OUT", "--seconds", "1", "--set", "sensor.source=lines", "--set", "sensor.lines.path=PIPE"],
    ])
  func `what has no samples fails soon, and says so`(arguments: [String]) async throws {
    let directory = try TestBroker.makeDirectory("none")
    func path(_ name: String) -> String { directory.appending(path: name).path }
    try Data("t,x,y,z\n".utf8).write(to: directory.appending(path: "EMPTY"))
    unsafe #expect(mkfifo(path("PIPE"), 0o600) == 0)
    let words = arguments.map { word in
      ["EMPTY", "NOTHING", "OUT", "PIPE"].reduce(word) { $0.replacingOccurrences(of: $1, with: path($1)) }
    }
    let result = try await Product.run(words)
    #expect(result.status == 1)
    #expect(result.output.contains("steps2mqtt: ") && result.output.contains(directory.path), "\(result.output)")
  }

  @Test func `a recording in another unit, or with other times, is told`() async throws {
    let place = try Workplace()
    let walk = try String(contentsOf: place.recording, encoding: .utf8).split(separator: "\n").dropFirst()
    let rows = walk.map { $0.split(separator: ",").compactMap { Double($0) } }.filter { $0.count >= 4 }
    for (name, factor, scale, word) in [("unit", 1.0, 9.81, "m/s2"), ("times", 1000, 1, "in ms?")] {
      let file = place.directory.appending(path: "\(name).csv")
      let lines = rows.map { "\($0[0] * factor),\($0[1] * scale),\($0[2] * scale),\($0[3] * scale)" }
      try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
      let result = try await Product.run("analyze", file.path)
      #expect(result.output.contains(word), "\(result.output)")
    }
  }

  @Test func `a reader that goes ends what it read from, a full disk fails`() async throws {
    let place = try Workplace()
    try await publish("steps2mqtt/a/availability", "online", port: place.port, retain: true)
    try await publish("steps2mqtt/b/availability", "online", port: place.port, retain: true)
    let broker = "--set mqtt.brokers=mqtt://127.0.0.1:\(place.port)"
    // Nobody reads from the first message on; a later one finds that out.
    let file = place.directory.appending(path: "first")
    let watch = try Child("sh", ["-c", "'\(Product.path)' watch \(broker) | head -n 1"], output: file.path)
    try await wait("the end of it") {
      try await publish("steps2mqtt/a/availability", "online", port: place.port)
      return watch.isRunning ? nil : true
    }
    let line = try String(contentsOf: file, encoding: .utf8)
    #expect(line.contains("availability"))
    let full = try await run("sh", ["-c", "'\(Product.path)' --help >/dev/full; echo $?"])
    #expect(full.hasSuffix("1\n"), "\(full)")
  }

  @Test(arguments: [["run", "--fast"], ["dance"], ["query", "a"], ["run", "--set", "mqtt.root=#"]])
  func `wrong use is told in a line and ends with status 2`(arguments: [String]) async throws {
    let result = try await Product.run(arguments)
    #expect(result.status == 2)
    #expect(result.output.split(separator: "\n").count == 1, "\(result.output)")
    #expect(result.output.hasPrefix("steps2mqtt: "))
  }
}
