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

  @Test(arguments: [["run", "--fast"], ["dance"], ["query", "a"], ["run", "--set", "mqtt.root=#"]])
  func `wrong use is told in a line and ends with status 2`(arguments: [String]) async throws {
    let result = try await Product.run(arguments)
    #expect(result.status == 2)
    #expect(result.output.split(separator: "\n").count == 1, "\(result.output)")
    #expect(result.output.hasPrefix("steps2mqtt: "))
  }
}
