import CEvdev
import Glibc

/// The accelerometers among a machine's input devices, as the kernel lists them: found without opening keyboards.
struct InputDevices {
  /// An accelerometer.
  struct Accelerometer: Equatable {
    /// Its file: `/dev/input/event3`.
    var path: String
    /// What its driver calls it.
    var name: String

    /// What it is called, for a person.
    var title: String { "\(name) (\(path))" }
    /// What it is called where it may not be opened, and what to do about that.
    var denial: String {
      "\(title): may not be opened; install the udev rule 60-steps2mqtt-input.rules and put this user into the group iio"
    }
  }

  /// Where the kernel lists them, and where their files are.
  var list = "/sys/class/input"
  var files = "/dev/input"

  /// All of them, in the order of their numbers.
  var accelerometers: [Accelerometer] {
    DirectoryListing.names(in: list).compactMap { name in
      guard name.hasPrefix("event"), Int(name.dropFirst(5)) != nil,
        let properties = line("\(list)/\(name)/device/properties"), Self.isAccelerometer(properties)
      else { return nil }
      return Accelerometer(path: "\(files)/\(name)", name: line("\(list)/\(name)/device/name") ?? name)
    }.sorted { $0.path.utf8.count == $1.path.utf8.count ? $0.path < $1.path : $0.path.utf8.count < $1.path.utf8.count }
  }

  /// Whether the bits of a device's properties, in words of hexadecimal digits, say that it is an accelerometer.
  static func isAccelerometer(_ properties: String) -> Bool {
    guard let word = properties.split(separator: " ").last, let bits = UInt64(word, radix: 16) else { return false }
    return bits >> UInt64(INPUT_PROP_ACCELEROMETER) & 1 == 1
  }

  /// The one that has a name or a path; without one, the first.
  func accelerometer(named wanted: String) throws(SensorError) -> Accelerometer {
    let found = accelerometers
    if wanted.isEmpty, let first = found.first { return first }
    if let named = found.first(where: { $0.name == wanted || $0.path == wanted }) { return named }
    guard !wanted.isEmpty else {
      throw SensorError(
        .notFound, "there is no accelerometer among the input devices; plug it in, or set another sensor.source")
    }
    let names = found.map(\.title).joined(separator: ", ")
    throw SensorError(
      .notFound, "there is no input accelerometer '\(wanted)'; there is \(names.isEmpty ? "none at all" : names)")
  }

  /// The first line of a small file.
  private func line(_ path: String) -> String? {
    guard let file = try? FileDescriptor(opening: path, flags: O_RDONLY) else { return nil }
    var bytes = [UInt8](repeating: 0, count: 512)
    guard let count = try? file.read(into: &bytes, from: 0, limit: bytes.count), count > 0 else { return nil }
    return String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }
}
