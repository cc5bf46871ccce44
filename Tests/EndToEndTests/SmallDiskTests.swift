import Foundation
import Glibc
import Testing

@Suite struct SmallDiskTests {
  @Test(.enabled(if: OwnMounts.areHere, "a file system of its own for a process needs root, or user namespaces"))
  func `on a disk that others fill the agent counts on, says so, and loses nothing when there is room again`()
    async throws
  {
    let place = try Workplace()
    let subscriber = try await place.subscriber()
    let disk = place.directory.appending(path: "disk")
    try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: true)
    let agent = try RunningAgent(
      journal: disk.appending(path: "journal"), port: place.port, recording: place.recording, speed: "5",
      "tracking.start=always", "mqtt.replay_rate=0", "journal.min_free_bytes=0", "journal.max_bytes=1048576",
      exitAtEnd: true, under: OwnMounts.after("mount -t tmpfs -o size=1m none '\(disk.path)'"))
    try await wait("the first steps") { subscriber.steps(of: "walker") > 10 ? true : nil }
    let filler = URL(fileURLWithPath: "/proc/\(agent.pid)/root\(disk.path)/filler")
    #expect(fill(filler) == ENOSPC)

    func health() -> JSON? { subscriber.messages("walker", "health").last?.json }
    try await wait("health to name it", seconds: 60) {
      health().flatMap { $0["journal"].text.contains("full") ? true : nil }
    }
    let before = subscriber.steps(of: "walker")
    let answer = try await place.order("walker", #"{"id":"a","command":"status"}"#, id: "a", heardBy: subscriber)
    #expect(answer["status"].text == "done", "what changes nothing is answered all the same")
    try await wait("the end of the walk", seconds: 60) { agent.logText.contains("recording ended") ? true : nil }
    #expect(subscriber.steps(of: "walker") == before, "nothing goes out that is not on disk")
    #expect(agent.isRunning, "it waits for the disk")

    try FileManager.default.removeItem(at: filler)
    agent.hangUp()
    #expect(try await agent.waitForEnd() == 0, "\(agent.logText)")
    let counted = try await Product.count(place.recording)
    try await wait("all steps") { subscriber.steps(of: "walker") >= counted ? true : nil }
    #expect(subscriber.steps(of: "walker") == counted)
    #expect(subscriber.state(of: "walker")?["total_steps"].int == counted)
    #expect(health()?["lost"].int == 0)
  }

  /// Writes into a file until the system refuses more; gives its reason.
  private func fill(_ file: URL) -> CInt {
    let descriptor = unsafe open(file.path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    let block = [UInt8](repeating: 0, count: 4096)
    while unsafe write(descriptor, block, block.count) > 0 {}
    return errno
  }
}
