import Glibc

/// A trigger that the kernel's high-resolution timer fires, made through configfs.
///
/// For sensors whose interrupt line is not connected: without any trigger they cannot be buffered. Making it needs the
/// module `iio-trig-hrtimer` and root's rights. It stays, as the device's current trigger, for the next run to find:
/// its timer runs only while a buffer does.
enum HighResolutionTrigger {
  /// What the trigger is called among the devices.
  static let name = "steps2mqtt"

  /// Makes the trigger, unless it is there already; false where that cannot be done.
  static func make() -> Bool {
    unsafe mkdir("/sys/kernel/config/iio/triggers/hrtimer/\(name)", 0o755) == 0 || errno == EEXIST
  }
}
