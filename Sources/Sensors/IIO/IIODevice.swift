import CIIO
import Glibc

/// A device or a trigger.
@safe struct IIODevice {
  let context: IIOContext
  let pointer: OpaquePointer
  private var functions: ciio { context.library.functions }

  init(_ context: IIOContext, _ pointer: OpaquePointer) {
    self.context = context
    unsafe self.pointer = pointer
  }

  /// The kernel's number, such as `iio:device0`: it changes when a device is plugged in again.
  var id: String { unsafe functions.device_get_id(pointer).map { unsafe String(cString: $0) } ?? "" }
  /// What the driver calls it.
  var name: String { unsafe functions.device_get_name(pointer).map { unsafe String(cString: $0) } ?? "" }
  /// What the machine's maker calls it, such as `accel-display`.
  var label: String { unsafe functions.device_get_label(pointer).map { unsafe String(cString: $0) } ?? "" }
  /// What it is called, for a person.
  var title: String {
    let name = name.isEmpty ? id : name
    return label.isEmpty ? name : "\(name) (\(label))"
  }
  var isTrigger: Bool { unsafe functions.device_is_trigger(pointer) }

  /// An input channel such as `accel_x`.
  func channel(_ id: String) -> IIOChannel? {
    guard let channel = unsafe functions.device_find_channel(pointer, id, false) else { return nil }
    return unsafe IIOChannel(context, channel)
  }

  /// The value of an attribute; nil where there is none or it cannot be read.
  func attribute(_ name: String) -> String? {
    guard unsafe functions.device_find_attr(pointer, name) != nil else { return nil }
    return try? unsafe context.text("read \(name)") { unsafe functions.device_attr_read(pointer, name, $0, $1) }
  }

  /// Sets an attribute that may not be there.
  func set(_ name: String, to value: String) throws(IIOFailure) {
    let result = unsafe functions.device_attr_write(pointer, name, value)
    guard result >= 0 else { throw IIOFailure(result, "set \(name) to \(value)") }
  }

  /// The trigger that paces the buffer; nil where there is none.
  var trigger: IIODevice? {
    var trigger: OpaquePointer?
    guard unsafe functions.device_get_trigger(pointer, &trigger) == 0, let found = unsafe trigger else { return nil }
    return unsafe IIODevice(context, found)
  }

  /// Lets a trigger, or none, pace the buffer.
  func setTrigger(_ trigger: IIODevice?) throws(IIOFailure) {
    let result = unsafe functions.device_set_trigger(pointer, trigger?.pointer)
    guard result >= 0 else { throw IIOFailure(Int(result), "set the trigger \(trigger?.name ?? "none")") }
  }

  /// Starts a buffer that is handed over each so many samples; the kernel keeps sixteen times as many.
  func makeBuffer(samples: Int) throws(IIOFailure) -> IIOBuffer {
    _ = unsafe functions.device_set_kernel_buffers_count(pointer, 16)
    guard let buffer = unsafe functions.device_create_buffer(pointer, samples, false) else {
      throw IIOFailure(Int(errno), "start a buffer")
    }
    return unsafe IIOBuffer(context, buffer)
  }
}
