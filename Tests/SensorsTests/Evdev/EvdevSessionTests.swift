import CEvdev
import Foundation
import Glibc
import Motion
import Testing

@testable import Sensors

/// What stands in for libevdev: it reads what it is to return, and the event, from the device's file.
private enum StandIn {
  /// Units to a g.
  static let resolution: Int32 = 4096

  /// Written before anybody sees it, and never again.
  private nonisolated(unsafe) static let axis: UnsafeMutablePointer<input_absinfo> = {
    let axis = UnsafeMutablePointer<input_absinfo>.allocate(capacity: 1)
    unsafe axis.initialize(to: input_absinfo())
    unsafe axis.pointee.resolution = resolution
    return unsafe axis
  }()

  static func library() -> EvdevLibrary {
    var functions = cevdev()
    unsafe functions.new_from_fd = { file, device in
      unsafe device?.pointee = OpaquePointer(bitPattern: Int(file) + 1)
      return 0
    }
    unsafe functions.free = { _ in }
    unsafe functions.get_name = { _ in nil }
    unsafe functions.get_abs_info = { _, _ in unsafe UnsafePointer(StandIn.axis) }
    unsafe functions.set_clock_id = { _, _ in 0 }
    unsafe functions.next_event = { device, flags, event in
      let file = CInt(Int(bitPattern: device) - 1)
      var head: (result: Int32, flags: UInt32) = (0, 0)
      let count = unsafe read(file, &head, 8)
      guard count == 8, let event = unsafe event, unsafe read(file, event, MemoryLayout<input_event>.size) > 0 else {
        return -EAGAIN
      }
      return head.flags == flags ? head.result : -EINVAL
    }
    return EvdevLibrary(functions)
  }
}

struct EvdevSessionTests {
  private let success = CInt(CEVDEV_STATUS_SUCCESS)
  private let sync = CInt(CEVDEV_STATUS_SYNC)
  private let normal = UInt32(CEVDEV_READ_NORMAL)
  private let catchUp = UInt32(CEVDEV_READ_SYNC)

  /// What libevdev says at one call: its result, how it must have been asked, and the event.
  private typealias Said = (result: CInt, flags: UInt32, type: CInt, code: CInt, value: Int32, seconds: Double)

  /// A session on a device that says such things.
  private func session(_ said: [Said]) throws -> (session: EvdevSession, file: TemporaryFile) {
    let file = TemporaryFile()
    var bytes = Data()
    for one in said {
      var head = (result: one.result, flags: one.flags)
      var event = input_event()
      event.time = timeval(
        tv_sec: Int(one.seconds), tv_usec: Int((one.seconds - one.seconds.rounded(.down)) * 1e6))
      event.type = UInt16(one.type)
      event.code = UInt16(one.code)
      event.value = one.value
      unsafe withUnsafeBytes(of: &head) { unsafe bytes.append(contentsOf: $0) }
      unsafe withUnsafeBytes(of: &event) { unsafe bytes.append(contentsOf: $0) }
    }
    try bytes.write(to: URL(filePath: file.path))
    var reads = 0
    // Each read of the session reads the device once.
    let session = try EvdevSession(EvdevDevice(StandIn.library(), path: file.path), rate: 50) { _ in
      reads += 1
      return reads % 2 == 1
    }
    return (session, file)
  }

  @Test func `goes on after events were lost, from what the device shows now`() throws {
    let now = BootTime.now()
    var (session, file) = try session([
      (success, normal, EV_ABS, ABS_X, 4096, now), (success, normal, EV_SYN, SYN_REPORT, 0, now),
      (sync, normal, EV_SYN, SYN_DROPPED, 0, now + 0.1), (sync, catchUp, EV_ABS, ABS_X, 2048, now + 0.1),
      (sync, catchUp, EV_ABS, ABS_Z, -4096, now + 0.1), (sync, catchUp, EV_SYN, SYN_REPORT, 0, now + 0.1),
      (-EAGAIN, catchUp, 0, 0, 0, 0), (success, normal, EV_ABS, ABS_X, 0, now + 0.12),
      (success, normal, EV_SYN, SYN_REPORT, 0, now + 0.12), (-EAGAIN, normal, 0, 0, 0, 0),
    ])
    let reading = try session.read()
    #expect(reading.samples.map(\.x) == [1, 0.5, 0])
    #expect(reading.samples.map(\.z) == [0, -1, -1])
    #expect(reading.missing == 1)
    #expect(reading.samples.allSatisfy { abs($0.time - now) < 0.2 })
    _ = file
  }

  @Test(arguments: [(ENODEV, SensorError.Code.notFound), (EIO, .inputOutput)])
  func `says that the device is gone`(error: CInt, code: SensorError.Code) throws {
    var (session, file) = try session([(-error, normal, 0, 0, 0, 0)])
    let thrown = #expect(throws: SensorError.self) { try session.read() }
    #expect(thrown?.code == code)
    _ = file
  }

  @Test func `rests while nothing changes, but not for the hours that the machine slept`() throws {
    let now = BootTime.now()
    var (session, file) = try session([(success, normal, EV_ABS, ABS_X, 4096, now)])
    let rest = session.rest(until: now + 2)
    #expect((80...100).contains(rest.count))
    #expect(session.rest(until: now + 100_000).count < 50)
    let next = session.rest(until: now + 100_001)
    #expect((40...60).contains(next.count))
    #expect(try abs(#require(next.last).time - now - 100_000.8) < 0.03)
    _ = file
  }

  @Test func `says which rule lets it open a device`() {
    let device = InputDevices.Accelerometer(path: "/dev/input/event3", name: "IMU")
    let denied = EvdevSource.explained(SensorError.opening(device.path, EACCES), device)
    #expect(denied.code == .notPermitted && denied.message.contains("60-steps2mqtt-input.rules"))
    #expect(EvdevSource.explained(SensorError.opening(device.path, ENOENT), device).code == .notFound)
  }
}
