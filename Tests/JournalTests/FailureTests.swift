import Glibc
import Testing

@testable import Journal

@Suite struct FailureTests {
  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
  }

  /// Whether this process may mount a small file system of its own for a test.
  static let canMount: Bool = {
    guard geteuid() == 0, let probe = try? Scratch() else { return false }
    guard unsafe mount("none", probe.path, "tmpfs", 0, "size=64k") == 0 else { return false }
    return unsafe umount(probe.path) == 0
  }()

  /// Commits until it fails; gives the error and the last record that was committed.
  private func fill(_ journal: Journal) async throws -> (error: JournalError, last: Int64) {
    for seq in Int64(1)... {
      do throws(JournalError) {
        try await journal.commit(.init(records: [walk(seq, at: seq * 1000)], state: Array("\(seq)".utf8)))
      } catch {
        return (error, seq - 1)
      }
    }
    throw Scratch.Failure()
  }

  @Test func `at its bound it says so, and keeps what it has`() async throws {
    let configuration = scratch.configuration(maximumBytes: 200 << 10)
    let (journal, _) = try await Journal.open(configuration, epoch: "e")
    let (error, last) = try await fill(journal)
    #expect(error.code == .full)
    #expect(error.message.contains("journal.max_bytes"))
    #expect(await journal.unacknowledgedCount == Int(last))
    try await journal.commit(.init(acknowledged: [1...(last / 2)]))
    await journal.close()
    let (again, recovery) = try await Journal.open(configuration, epoch: "e")
    #expect(recovery.state == Array("\(last)".utf8))
    #expect(try await again.outbox().map(\.seq) == Array((last / 2 + 1)...last))
    #expect(try await again.tidy(at: nil) == nil)
    try await again.commit(.init(records: [walk(last + 1, at: (last + 1) * 1000)]))
  }

  @Test(.enabled(if: canMount)) func `on a full disk it loses nothing, and goes on when there is room`() async throws {
    #expect(unsafe mount("none", scratch.path, "tmpfs", 0, "size=600k") == 0)
    defer { _ = unsafe umount2(scratch.path, Int32(MNT_DETACH)) }
    let ballast = "\(scratch.path)/ballast"
    try Scratch.write([UInt8](repeating: 1, count: 300_000), to: ballast)
    let (journal, _) = try await Journal.open(scratch.configuration(), epoch: "e")
    let (error, last) = try await fill(journal)
    #expect(error.code == .full)
    #expect(try await journal.outbox().count == Int(last))
    _ = unsafe unlink(ballast)
    try await journal.commit(.init(records: [walk(last + 1, at: (last + 1) * 1000)]))
    await journal.close()
    let (again, recovery) = try await Journal.open(scratch.configuration(), epoch: "e")
    #expect(recovery.lastSequence == last + 1)
    #expect(try await again.totalSteps() == 2 * Int(last + 1))
    await again.close()
  }

  @Test(.enabled(if: canMount || geteuid() != 0))
  func `a directory that is read-only is an error that says what to do`() async throws {
    let (journal, _) = try await Journal.open(scratch.configuration("journal"), epoch: "e")
    try await journal.commit(.init(records: [walk(1, at: 0)]))
    await journal.close()
    let path = "\(scratch.path)/journal"
    if Self.canMount {
      #expect(unsafe mount(path, path, nil, UInt(MS_BIND), nil) == 0)
      #expect(
        unsafe mount(nil, path, nil, UInt(MS_REMOUNT | MS_BIND | MS_RDONLY), nil) == 0)
    } else {
      #expect(unsafe chmod("\(path)/steps2mqtt.sqlite", 0o400) == 0 && chmod(path, 0o500) == 0)
    }
    let error = await #expect(throws: JournalError.self) {
      _ = try await Journal.open(scratch.configuration("journal"), epoch: "f")
    }
    if Self.canMount {
      _ = unsafe umount(path)
    } else {
      _ = unsafe chmod(path, 0o700)
      _ = unsafe chmod("\(path)/steps2mqtt.sqlite", 0o600)
    }
    #expect(error?.code == (Self.canMount ? .readOnly : .inaccessible))
    #expect(error?.message.contains(path) == true)
    let (again, recovery) = try await Journal.open(scratch.configuration("journal"), epoch: "f")
    #expect(recovery.epoch == "e" && recovery.lastSequence == 1)
    await again.close()
  }

  @Test(arguments: ["/proc/nowhere", "/dev/null", "/nonexistent/parent/journal"])
  func `a directory that cannot be is an error that names it`(path: String) async throws {
    let error = await #expect(throws: JournalError.self) {
      _ = try await Journal.open(Journal.Configuration(directory: path), epoch: "e")
    }
    #expect(error?.code == .inaccessible)
    #expect(error?.message.contains(path) == true && error?.message.contains("journal.directory") == true)
  }
}
