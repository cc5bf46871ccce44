internal import CMosquitto

/// What is true of libmosquitto as a whole.
public enum Library {
  /// The version of the library that runs, such as `2.0.11`.
  public static let version: String = {
    var major: CInt = 0
    var minor: CInt = 0
    var revision: CInt = 0
    _ = unsafe mosquitto_lib_version(&major, &minor, &revision)
    return "\(major).\(minor).\(revision)"
  }()

  /// Initialises the library once, before the first handle; it stays so until the process ends.
  static func prepare() { _ = initialised }

  private static let initialised: CInt = mosquitto_lib_init()

  /// The words for an error of the library.
  static func words(for error: CInt) -> String {
    unsafe String(cString: mosquitto_strerror(error))
  }

  /// The words for a reason code.
  static func words(for reason: ReasonCode) -> String {
    unsafe String(cString: mosquitto_reason_string(CInt(reason.rawValue)))
  }
}
