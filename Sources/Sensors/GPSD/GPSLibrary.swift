import CGPS

/// libgps, loaded while the program runs.
///
/// The table of its functions never changes and libgps keeps no state of its own beside its handles: it may be used by
/// any thread.
@safe final class GPSLibrary: @unchecked Sendable {
  let functions: cgps

  /// Loads libgps; throws where it is not installed.
  init() throws(SensorError) {
    var functions = cgps()
    if let reason = unsafe cgps_load(&functions) {
      let words = unsafe String(cString: reason)
      throw SensorError(.notFound, "libgps cannot be loaded (\(words)); install it: apt install libgps28")
    }
    self.functions = functions
  }
}
