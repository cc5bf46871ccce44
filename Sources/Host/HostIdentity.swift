import CSystemd
import Glibc

/// Who the host is.
public enum HostIdentity {
  /// The kernel's name for the time since the host was started, a UUID in lower case.
  public static func bootID() throws(HostError) -> String {
    let bytes = try SmallFile.read("/proc/sys/kernel/random/boot_id", limit: 64).bytes
    return String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self)
  }

  /// A name for the device that stays the same and does not give the host away: `steps-` and 16 hexadecimal digits.
  ///
  /// Derived from the machine id by a keyed hash (systemd's application-specific ids), so that neither it nor a MAC can
  /// be had from the name; where there is no machine id, from the host's name. Copies of one disk image share a machine
  /// id, and so this name, until `systemd-machine-id-setup` gives them their own.
  public static func deviceID() -> String {
    let key = machineKey() ?? hash(of: hostName())
    let digits = String(key, radix: 16)
    return "steps-" + String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// The host's name.
  public static func hostName() -> String {
    var name = [CChar](repeating: 0, count: 256)
    let status = unsafe name.withUnsafeMutableBufferPointer { buffer in
      unsafe buffer.baseAddress.map { unsafe gethostname($0, buffer.count - 1) } ?? -1
    }
    guard status == 0 else { return "localhost" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The first 64 bits of the machine id hashed with this application's own id.
  private static func machineKey() -> UInt64? {
    // Drawn at random once; another application's names cannot be linked with these.
    var application = sd_id128_t()
    unsafe application.bytes = (
      0x6E, 0x1B, 0x8F, 0x40, 0x52, 0xC7, 0x4D, 0x9A, 0x91, 0x3D, 0x0B, 0x5E, 0xF8, 0x27, 0xA6, 0xC4
    )
    var key = sd_id128_t()
    guard unsafe sd_id128_get_machine_app_specific(application, &key) == 0 else { return nil }
    return unsafe UInt64(bigEndian: key.qwords.0)
  }

  /// FNV-1a of 64 bits (Fowler, Noll, Vo): spreads names, keeps no secret.
  static func hash(of text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }
}
