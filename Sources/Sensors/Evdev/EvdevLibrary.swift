import CEvdev
import Glibc

/// libevdev, loaded while the program runs.
///
/// The table of its functions never changes and libevdev keeps no state of its own beside its handles: it may be used
/// by any thread.
@safe final class EvdevLibrary: @unchecked Sendable {
  let functions: cevdev

  /// Loads libevdev; throws where it is not installed.
  init() throws(SensorError) {
    var functions = cevdev()
    if let reason = unsafe cevdev_load(&functions) {
      let words = unsafe String(cString: reason)
      throw SensorError(.notFound, "libevdev cannot be loaded (\(words)); install it: apt install libevdev2")
    }
    self.functions = functions
  }

  /// Takes functions that stand in for those of libevdev.
  init(_ functions: cevdev) { self.functions = functions }
}
