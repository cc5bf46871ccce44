import CIIO
import Glibc

/// What libiio refused: an error number and what was tried.
struct IIOFailure: Error, Equatable {
  let number: CInt
  let action: String

  /// From a result as libiio gives it: a negative error number.
  init(_ result: Int, _ action: String) {
    number = CInt(truncatingIfNeeded: result.magnitude)
    self.action = action
  }

  var text: String { "\(action): \(SensorError.text(of: number))" }

  /// What it means that a device was tried out and could not be read.
  func tryingOut(_ name: String) -> SensorError {
    SensorError(number == EACCES ? .notPermitted : .inputOutput, "\(name): \(text)")
  }
}

/// A view of a machine's devices as they were when it was made: libiio takes a snapshot.
@safe final class IIOContext {
  let library: IIOLibrary
  let isLocal: Bool
  let pointer: OpaquePointer

  /// Looks at the devices of this machine (an empty uri) or of another one, as `ip:host`.
  init(_ library: IIOLibrary, uri: String) throws(SensorError) {
    let functions = library.functions
    let created =
      unsafe uri.isEmpty ? functions.create_local_context() : functions.create_context_from_uri(uri)
    guard let pointer = unsafe created else {
      let reason = SensorError.text(of: errno)
      throw SensorError(
        .notFound,
        uri.isEmpty
          ? "this machine has no IIO sensor (\(reason)); check its wiring and driver, or set another sensor.source"
          : "\(uri): no devices can be seen there (\(reason)); check the address and that iiod runs there")
    }
    self.library = library
    isLocal = uri.isEmpty || uri.hasPrefix("local")
    unsafe self.pointer = pointer
  }

  /// A context that an XML text describes: it can be looked at, not read.
  init(_ library: IIOLibrary, xml: String) throws(SensorError) {
    guard let pointer = unsafe library.functions.create_xml_context_mem(xml, xml.utf8.count) else {
      throw SensorError(.invalid, "not a description of IIO devices")
    }
    self.library = library
    isLocal = false
    unsafe self.pointer = pointer
  }

  deinit { unsafe library.functions.context_destroy(pointer) }

  /// The devices, triggers among them.
  var devices: [IIODevice] {
    (0..<(unsafe library.functions.context_get_devices_count(pointer))).compactMap { index in
      unsafe library.functions.context_get_device(pointer, index).map { unsafe IIODevice(self, $0) }
    }
  }

  /// Lets blocking calls give up after so many milliseconds.
  func setTimeout(milliseconds: UInt32) {
    _ = unsafe library.functions.context_set_timeout(pointer, milliseconds)
  }
}

extension IIOContext {
  /// A text that a function of libiio writes into a buffer.
  func text(
    _ action: String, _ read: (UnsafeMutablePointer<CChar>?, Int) -> Int
  ) throws(IIOFailure) -> String {
    var length = 0
    let text = unsafe String(unsafeUninitializedCapacity: 4096) { buffer in
      let pointer = unsafe UnsafeMutableRawPointer(buffer.baseAddress)?.assumingMemoryBound(to: CChar.self)
      length = unsafe read(pointer, buffer.count)
      return max(length, 0)
    }
    guard length >= 0 else { throw IIOFailure(length, action) }
    return String(text.prefix { $0 != "\0" && $0 != "\n" })
  }
}
