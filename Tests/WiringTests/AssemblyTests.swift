import FoundationEssentials
import Host
import Testing

@testable import steps2mqtt

@Suite struct AssemblyTests {
  @Test func `an agent that is made while others run leaves the process's environment alone`() async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "steps2mqtt-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    var settings = Settings()
    settings.sensor.source = .synthetic
    settings.journal.directory = directory.path
    // No zone of anybody's who runs this.
    settings.tracking.timeZone = "Pacific/Chatham"
    let loop = try Loop()
    try await withTaskExecutorPreference(loop) {
      _ = try await Assembly(settings, on: loop, log: Log(level: .error))
    }
    #expect(Environment["TZ"]?.contains("Chatham") != true)
  }
}
