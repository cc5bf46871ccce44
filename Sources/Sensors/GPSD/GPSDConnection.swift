import CGPS
import Glibc

/// What one message of gpsd comes to.
enum GPSDReport: Sendable, Equatable {
  /// The receiver knows where it is.
  case position(LocationFix)
  /// gpsd has no receiver.
  case noReceiver
  /// Something else; that the receiver does not know where it is, too.
  case other
}

/// A conversation with gpsd, over libgps.
@safe final class GPSDConnection {
  private let library: GPSLibrary
  private let data: UnsafeMutablePointer<gps_data_t>
  /// What ends a read from another thread; nil where there is nothing to read.
  private let stop: Stop?
  private var last: (time: timespec, fix: LocationFix)?

  /// Connects and asks for reports, until it is told to stop; throws what stands in the way.
  init(_ library: GPSLibrary, host: String, port: Int, stop: Stop) throws(SensorError) {
    self.library = library
    unsafe data = .allocate(capacity: 1)
    unsafe data.initialize(to: gps_data_t())
    let isOpen = unsafe library.functions.open(host, "\(port)", data) == 0
    self.stop = isOpen ? stop : nil
    guard isOpen else {
      throw SensorError(.notFound, "gpsd at \(host):\(port): \(Self.words(library, errno)); is it running there?")
    }
    let descriptor = unsafe data.pointee.gps_fd
    stop.onStop { _ = shutdown(descriptor, CInt(SHUT_RDWR)) }
    let flags = UInt32(WATCH_ENABLE) | UInt32(WATCH_JSON)
    guard unsafe library.functions.stream(data, flags, nil) == 0 else {
      throw SensorError(.inputOutput, "gpsd at \(host):\(port): \(Self.words(library, errno))")
    }
  }

  /// Makes a conversation with nobody, which only understands what it is given.
  init(_ library: GPSLibrary) {
    self.library = library
    unsafe data = .allocate(capacity: 1)
    unsafe data.initialize(to: gps_data_t())
    stop = nil
  }

  deinit {
    if let stop {
      // The descriptor may soon be another's.
      stop.onStop(nil)
      _ = unsafe library.functions.close(data)
    }
    unsafe data.deallocate()
  }

  /// Blocks until a message has come, or for some seconds; nil if none has, and throws when gpsd is gone.
  func read(within seconds: Int) throws(SensorError) -> GPSDReport? {
    guard unsafe library.functions.waiting(data, CInt(seconds * 1_000_000)) else { return nil }
    forget()
    guard unsafe library.functions.read(data, nil, 0) >= 0 else {
      throw SensorError(
        .inputOutput, "gpsd has ended the connection; look whether it still runs (systemctl status gpsd)")
    }
    return report()
  }

  /// Understands a message as gpsd writes it.
  func understand(_ message: String) -> GPSDReport {
    forget()
    var bytes = message.utf8.map { CChar(bitPattern: $0) } + [0]
    _ = unsafe library.functions.unpack(&bytes, data)
    return report()
  }

  /// Forgets which fields the messages so far have filled: libgps only ever adds to them.
  private func forget() { unsafe data.pointee.set = 0 }

  private func report() -> GPSDReport {
    let set = unsafe data.pointee.set
    if set & UInt64(DEVICELIST_SET) != 0 {
      return unsafe data.pointee.devices.ndevices == 0 ? .noReceiver : .other
    }
    guard set & UInt64(MODE_SET) != 0 else { return .other }
    let fix = unsafe data.pointee.fix
    guard fix.mode >= MODE_2D, set & UInt64(LATLON_SET) != 0, fix.latitude.isFinite, fix.longitude.isFinite else {
      return .other
    }
    let found = LocationFix(latitude: fix.latitude, longitude: fix.longitude, accuracy: Self.accuracy(fix))
    // A receiver that hangs repeats itself: that is nothing new.
    if let last, last.time.tv_sec == fix.time.tv_sec, last.time.tv_nsec == fix.time.tv_nsec, last.fix == found {
      return .other
    }
    last = (fix.time, found)
    return .position(found)
  }

  /// The horizontal error that gpsd estimates, or what follows from those of the two directions.
  ///
  /// libgps 3.22 does not say by `HERR_SET` that `eph` is there; what is missing is no number.
  private static func accuracy(_ fix: gps_fix_t) -> Double? {
    if fix.eph.isFinite, fix.eph > 0 { return fix.eph }
    guard fix.epx.isFinite, fix.epy.isFinite, fix.epx > 0, fix.epy > 0 else { return nil }
    return (fix.epx * fix.epx + fix.epy * fix.epy).squareRoot()
  }

  /// The words for an error of libgps: its own numbers are negative.
  private static func words(_ library: GPSLibrary, _ number: CInt) -> String {
    guard number < 0, let words = library.functions.errstr(number) else { return SensorError.text(of: number) }
    return unsafe String(cString: words)
  }
}
