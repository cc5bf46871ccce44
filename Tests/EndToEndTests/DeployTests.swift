import BrokerTesting
import Foundation
import Glibc
import Testing

/// What is shipped in `deploy`, where an operator puts it.
@Suite struct DeployTests {
  private static let root = String(#filePath.dropLast("Tests/EndToEndTests/DeployTests.swift".count))

  @Test func `the broker's configuration starts beside Debian's own, and its rules let a device do its work`()
    async throws
  {
    let directory = try TestBroker.makeDirectory("deploy")
    func path(_ name: String) -> String { directory.appending(path: name).path }
    func shipped(_ name: String) throws -> String {
      try String(contentsOfFile: "\(Self.root)deploy/\(name)", encoding: .utf8)
    }
    let certificates = try Certificates()
    let (plain, encrypted) = (try TestBroker.freePort(), try TestBroker.freePort())
    try await run("mosquitto_passwd", ["-c", "-b", path("steps2mqtt.passwd"), "watch-7", "secret"])
    try shipped("mosquitto.acl").write(toFile: path("steps2mqtt.acl"), atomically: true, encoding: .utf8)
    let debian = "persistence true\npersistence_location \(directory.path)/\n"
    let ours = try shipped("mosquitto.conf")
      .replacingOccurrences(of: "/etc/mosquitto/certs/ca.crt", with: certificates.certificate("ca"))
      .replacingOccurrences(of: "/etc/mosquitto/certs/server.crt", with: certificates.certificate("server"))
      .replacingOccurrences(of: "/etc/mosquitto/certs/server.key", with: certificates.key("server"))
      .replacingOccurrences(of: "/etc/mosquitto/", with: directory.path + "/")
      .replacingOccurrences(of: "listener 1883", with: "listener \(plain)")
      .replacingOccurrences(of: "listener 8883", with: "listener \(encrypted)")
    let user = getuid() == 0 ? "user root\n" : ""
    try (debian + user + ours).write(toFile: path("mosquitto.conf"), atomically: true, encoding: .utf8)
    let broker = try Child("mosquitto", ["-c", path("mosquitto.conf")], output: path("log"))
    try await wait("the broker") { TestBroker.isListening(plain) ? true : nil }

    try "secret\n".write(toFile: path("password"), atomically: true, encoding: .utf8)
    let settings = [
      "mqtt.brokers=mqtts://localhost:\(encrypted)", "mqtt.ca_file=\(certificates.certificate("ca"))",
      "mqtt.username=watch-7", "mqtt.password_file=\(path("password"))", "device.id=watch-7", "sensor.source=synthetic",
      "journal.directory=\(path("journal"))",
    ]
    let result = try await Product.run(["check"] + settings.flatMap { ["--set", $0] })
    #expect(result.status == 0, "\(result.output)")
    broker.end()
  }

  @Test func `make install puts everything where the unit looks for it`() async throws {
    let directory = try TestBroker.makeDirectory("install")
    // Its own program, for the one that is shipped takes minutes to build.
    let arguments = ["-C", Self.root, "install", "DESTDIR=\(directory.path)", "STATIC=\(Product.path)"]
    try await run("make", arguments)
    let unit = try String(contentsOfFile: "\(directory.path)/etc/systemd/system/steps2mqtt.service", encoding: .utf8)
    let words = try #require(unit.split(separator: "\n").first { $0.hasPrefix("ExecStart=") }).dropFirst(10).split(
      separator: " ")
    let (program, configuration) = (directory.path + words[0], directory.path + words[3])
    let check = try await run(program, ["--version"])
    #expect(check.hasPrefix("steps2mqtt"))
    try "device: {id: kept}\n".write(toFile: configuration, atomically: true, encoding: .utf8)
    try await run("make", arguments)
    #expect(try String(contentsOfFile: configuration, encoding: .utf8).contains("kept"), "a configuration stays")
  }
}
