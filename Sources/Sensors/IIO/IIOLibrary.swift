import CIIO
import Glibc

/// libiio, loaded while the program runs.
///
/// The table of its functions never changes and libiio keeps no state of its own beside its handles: it may be used by
/// any thread.
@safe final class IIOLibrary: @unchecked Sendable {
  let functions: ciio

  /// Loads libiio; throws where it is not installed.
  init() throws(SensorError) {
    var functions = ciio()
    if let reason = unsafe ciio_load(&functions) {
      let words = unsafe String(cString: reason)
      throw SensorError(.notFound, "libiio cannot be loaded (\(words)); install it: apt install libiio0")
    }
    self.functions = functions
  }
}
