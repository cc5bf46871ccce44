import Foundation
import Glibc
import Testing

@Suite struct LogStreamTests {
  /// What may have become of the streams that the agent is started with; `PIPE` is full, and nobody reads it.
  @Test(arguments: ["2>&-", "0<&- 1>&- 2>&-", "2>/dev/full", "2>PIPE"])
  func `whatever becomes of its log the agent counts, answers, and leaves when it is told to`(
    streams: String
  ) async throws {
    let place = try Workplace()
    let subscriber = try await place.subscriber()
    let path = place.directory.appending(path: "log").path
    try #require(unsafe mkfifo(path, 0o600) == 0)
    let pipe = unsafe open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    defer { close(pipe) }
    let block = [UInt8](repeating: UInt8(ascii: "\n"), count: 4096)
    while unsafe write(pipe, block, block.count) > 0 {}

    let agent = try RunningAgent(
      journal: place.journal(), port: place.port, recording: place.recording, speed: "10", "tracking.start=always",
      under: ["sh", "-c", "exec \(streams.replacing("PIPE", with: "'\(path)'")); exec \"$0\" \"$@\""])
    try await wait("steps") { subscriber.steps(of: "walker") > 10 ? true : nil }
    for stream in 0...2 {
      let target = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(agent.pid)/fd/\(stream)")
      #expect(target.hasPrefix("/"), "\(stream) is \(target), which is nobody's to write to")
    }
    let answer = try await place.order("walker", #"{"id":"a","command":"status"}"#, id: "a", heardBy: subscriber)
    #expect(answer["status"].text == "done")
    #expect(try await agent.stop() == 0)
    #expect(subscriber.messages("walker", "availability").last?.payload == "offline")
  }
}
