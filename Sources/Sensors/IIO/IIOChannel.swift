import CIIO

/// A channel of a device.
@safe struct IIOChannel {
  let context: IIOContext
  let pointer: OpaquePointer
  private var functions: ciio { context.library.functions }

  init(_ context: IIOContext, _ pointer: OpaquePointer) {
    self.context = context
    unsafe self.pointer = pointer
  }

  /// Whether it can be part of a buffer.
  var isBuffered: Bool { unsafe functions.channel_is_scan_element(pointer) }

  /// Makes it part of the next buffer.
  func enable() { unsafe functions.channel_enable(pointer) }

  /// The value of an attribute; nil where there is none or it cannot be read.
  func attribute(_ name: String) -> String? {
    guard unsafe functions.channel_find_attr(pointer, name) != nil else { return nil }
    return try? read(name)
  }

  /// The value of an attribute that should be there.
  func read(_ name: String) throws(IIOFailure) -> String {
    try unsafe context.text("read \(name)") { unsafe functions.channel_attr_read(pointer, name, $0, $1) }
  }

  /// One reading, as the driver gives it.
  func raw() throws(IIOFailure) -> Int64 {
    var value: Int64 = 0
    let result = unsafe functions.channel_attr_read_longlong(pointer, "raw", &value)
    guard result >= 0 else { throw IIOFailure(Int(result), "read the sensor") }
    return value
  }

  /// Whether it has an attribute.
  func has(_ name: String) -> Bool { unsafe functions.channel_find_attr(pointer, name) != nil }

  /// Sets an attribute that may not be there.
  func set(_ name: String, to value: String) throws(IIOFailure) {
    let result = unsafe functions.channel_attr_write(pointer, name, value)
    guard result >= 0 else { throw IIOFailure(result, "set \(name) to \(value)") }
  }

  /// The number in the raw bytes of one scan, whatever their order, shift and width.
  ///
  /// libiio masks and extends the sign within the width in which the value is kept; neighbours' bits stay outside.
  func number(in bytes: UnsafeRawBufferPointer, at offset: Int) -> Int64 {
    var value: Int64 = 0
    unsafe functions.channel_convert(pointer, &value, bytes.baseAddress?.advanced(by: offset))
    guard let format = unsafe functions.channel_get_data_format(pointer) else { return value }
    switch unsafe format.pointee.length {
    case ...8: return Int64(Int8(truncatingIfNeeded: value))
    case ...16: return Int64(Int16(truncatingIfNeeded: value))
    case ...32: return Int64(Int32(truncatingIfNeeded: value))
    default: return value
    }
  }
}
