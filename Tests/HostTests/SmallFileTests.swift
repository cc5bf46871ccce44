import Testing

@testable import Host

@Suite struct SmallFileTests {
  @Test func `reads a file of the kernel, whose size is not known`() throws {
    #expect(try SmallFile.read("/proc/self/status", limit: 65_536).bytes.count > 100)
  }

  @Test func `a file larger than its limit is refused`() {
    #expect(throws: HostError.self) { try SmallFile.read("/proc/self/status", limit: 10) }
  }

  @Test(arguments: [("/nowhere/at/all", "'/nowhere/at/all' does not exist"), ("/tmp", "'/tmp' is a directory")])
  func `says why a file cannot be read`(path: String, message: String) {
    let error = #expect(throws: HostError.self) { try SmallFile.read(path, limit: 10) }
    #expect(error?.message == message)
  }
}
