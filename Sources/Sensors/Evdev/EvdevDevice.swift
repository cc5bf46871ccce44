import CEvdev
import Glibc

/// An open input device; it closes itself.
@safe final class EvdevDevice {
  /// An event, and when it happened, in µs by the device's clock.
  struct Event: Equatable {
    var input: AxisFrame.Input
    var microseconds: Int64
    /// Whether events before it were lost, so that it only says how the device is now.
    var followsLoss = false
  }

  let path: String
  let name: String
  private let library: EvdevLibrary
  private let file: FileDescriptor
  private let handle: OpaquePointer
  private var isSynchronizing = false

  /// Opens a device; throws where it cannot be opened, and where it is no input device.
  init(_ library: EvdevLibrary, path: String) throws(SensorError) {
    let file = try FileDescriptor(opening: path, flags: O_RDONLY | O_NONBLOCK)
    var opened: OpaquePointer?
    let result = unsafe library.functions.new_from_fd(file.raw, &opened)
    guard result == 0, let handle = unsafe opened else {
      throw SensorError(.invalid, "\(path): is no input device (\(SensorError.text(of: -result)))")
    }
    self.path = path
    self.library = library
    self.file = file
    unsafe self.handle = handle
    name = unsafe library.functions.get_name(handle).map { unsafe String(cString: $0) } ?? path
  }

  deinit { unsafe library.functions.free(handle) }

  /// The axes as they are; nil where one is missing.
  var axes: (x: AxisFrame.Axis, y: AxisFrame.Axis, z: AxisFrame.Axis)? {
    guard let x = axis(ABS_X), let y = axis(ABS_Y), let z = axis(ABS_Z) else { return nil }
    return (x, y, z)
  }

  private func axis(_ code: CInt) -> AxisFrame.Axis? {
    guard let info = unsafe library.functions.get_abs_info(handle, UInt32(code)) else { return nil }
    return unsafe AxisFrame.Axis(resolution: info.pointee.resolution, value: info.pointee.value)
  }

  /// Has its events dated by the boot-time clock, else by the monotonic one, and says by which.
  func setClock() -> StampClock.Kind {
    if unsafe library.functions.set_clock_id(handle, CLOCK_BOOTTIME) == 0 { return .boottime }
    if unsafe library.functions.set_clock_id(handle, CLOCK_MONOTONIC) == 0 { return .monotonic }
    return .realtime
  }

  /// Waits for events, at most for so many milliseconds.
  func wait(milliseconds: CInt) {
    var request = pollfd(fd: file.raw, events: Int16(POLLIN), revents: 0)
    _ = unsafe poll(&request, 1, milliseconds)
  }

  /// Reads an event; nil where there is none, an error where the device is gone.
  func next() throws(SensorError) -> Event? {
    while true {
      var event = input_event()
      let flags = UInt32(isSynchronizing ? CEVDEV_READ_SYNC : CEVDEV_READ_NORMAL)
      let result = unsafe library.functions.next_event(handle, flags, &event)
      let input = AxisFrame.Input(type: event.type, code: event.code, value: event.value)
      let time = unsafe cevdev_microseconds(&event)
      switch result {
      case CInt(CEVDEV_STATUS_SUCCESS): return Event(input: input, microseconds: time)
      case CInt(CEVDEV_STATUS_SYNC):
        isSynchronizing = true
        return Event(input: input, microseconds: time, followsLoss: true)
      case -EAGAIN where isSynchronizing: isSynchronizing = false
      case -EAGAIN, -EINTR: return nil
      case -ENODEV: throw SensorError(.notFound, "\(name): gone; plug it in again")
      default: throw SensorError(.inputOutput, "\(name): cannot be read (\(SensorError.text(of: -result)))")
      }
    }
  }
}
