import Glibc
import Testing

@testable import Host

@Suite struct HostTests {
  @Test func `the boot-time clock is the kernel's uptime`() throws {
    let uptime = String(decoding: try SmallFile.read("/proc/uptime", limit: 128).bytes, as: UTF8.self)
    let seconds = try #require(uptime.split(separator: " ").first.flatMap { Double($0) })
    let reading = HostClock().read()
    #expect(abs(Double(reading.bootMilliseconds) / 1000 - seconds) < 10)
  }

  @Test func `the wall clock is the C library's`() {
    #expect(abs(HostClock().read().wallMilliseconds / 1000 - Int64(time(nil))) < 10)
  }

  @Test func `a clock that nobody has set shows the day on which its system was built`() throws {
    let file = "/tmp/steps2mqtt-epoch-\(getpid())"
    close(unsafe open(file, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
    defer { unsafe unlink(file) }
    let times = Array(repeating: timespec(tv_sec: 1_777_319_335, tv_nsec: 0), count: 2)
    unsafe #expect(utimensat(AT_FDCWD, file, times, 0) == 0)
    #expect(HostClock.firstPossibleDate(after: ["/nowhere/at/all", file, "/"]) == 1_777_405_735_000)
    #expect(HostClock.firstPossibleDate(after: ["/nowhere/at/all"]) == nil)
  }

  @Test func `boot time never goes back`() {
    let clock = HostClock()
    var last = clock.read().bootMilliseconds
    for _ in 0..<10_000 {
      let next = clock.read().bootMilliseconds
      #expect(next >= last)
      last = next
    }
  }

  @Test(arguments: [(-1, -1), (0, 0), (999, 0), (1000, 1), (-1000, -1), (-1001, -2)])
  func `seconds before 1970 are rounded down`(milliseconds: Int64, seconds: Int64) {
    #expect(milliseconds.floorDivided(by: 1000) == seconds)
  }

  @Test func `the boot has a UUID`() throws {
    #expect(try HostIdentity.bootID().wholeMatch(of: /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/) != nil)
  }

  @Test func `the device's name is always the same, and gives no machine id away`() {
    let id = HostIdentity.deviceID()
    #expect(id.wholeMatch(of: /steps-[0-9a-f]{16}/) != nil)
    #expect(id == HostIdentity.deviceID())
    let machine = (try? SmallFile.read("/etc/machine-id", limit: 64).bytes) ?? []
    #expect(!String(decoding: machine, as: UTF8.self).contains(id.dropFirst(6)))
  }

  // The first two are published test vectors of FNV-1a.
  @Test(arguments: [("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C)] as [(String, UInt64)])
  func `names are hashed by FNV-1a`(text: String, hash: UInt64) {
    #expect(HostIdentity.hash(of: text) == hash)
  }

  @Test func `the sizes of smaps_rollup are read, other lines are not`() {
    let text = "55d0-7fff ---p 00000000 00:00 0   [rollup]\nRss:      2048 kB\nPrivate_Dirty: 12 kB\nOdd: x kB\n"
    #expect(ProcessUsage.sizes(in: text) == ["Rss": 2_097_152, "Private_Dirty": 12_288])
  }

  @Test func `the process costs something`() {
    let usage = ProcessUsage.read()
    #expect(usage.residentBytes > 1_000_000)
    #expect(usage.privateBytes > 0 && usage.privateBytes <= usage.residentBytes)
    #expect(usage.cpuSeconds > 0)
    #expect(usage.wakeUps > 0)
  }

  @Test func `the root has a size, and what is not there has none`() throws {
    #expect(try FreeSpace.bytes(at: "/") > 0)
    #expect(throws: HostError.self) { try FreeSpace.bytes(at: "/nowhere/at/all") }
  }

  @Test(
    arguments: [
      (0.5, "half", 40, "[##############..............] 50 % half"), (2, "x", 20, "[##########] 100 % x"),
      (-1, "x", 20, "[............] 0 % x"), (0.5, "a long text that does not fit", 20, "50 % a long text tha"),
      (nil, "123 samples", 8, "123 samp"), (.nan, "a\nb", 8, "a b"),
    ] as [(Double?, String, Int, String)])
  func `a progress line fits its terminal`(fraction: Double?, text: String, width: Int, line: String) {
    #expect(ProgressLine.line(fraction, text, width: width) == line)
    #expect(ProgressLine.line(fraction, text, width: width).count <= width)
  }
}
