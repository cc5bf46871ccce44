import Glibc

/// What a machine has that samples can come from, for a person who has to choose.
public struct Survey: Sendable {
  /// One kind of source.
  public struct Finding: Sendable, Equatable {
    /// As `sensor.source` calls it.
    public var kind: SensorDescription.Kind
    /// What was found of it, and what there is to do; empty where there is none.
    public var found: [String]
    /// Whether something of it can be read as things are.
    public var isUsable: Bool
  }

  /// Looks for accelerometers and serial ports.
  public static func look() -> [Finding] {
    [iio(), evdev(InputDevices()), serial(in: "/dev")]
  }

  private static func iio() -> Finding {
    do throws(SensorError) {
      let names = IIOAccelerometer.all(in: try IIOContext(IIOLibrary(), uri: "")).map(\.name)
      return Finding(kind: .iio, found: names, isUsable: !names.isEmpty)
    } catch {
      return Finding(kind: .iio, found: [error.message], isUsable: false)
    }
  }

  static func evdev(_ devices: InputDevices) -> Finding {
    let found = devices.accelerometers.map { device in
      (device, isReadable: unsafe access(device.path, R_OK) == 0)
    }
    return Finding(
      kind: .evdev, found: found.map { device, isReadable in isReadable ? device.title : device.denial },
      isUsable: found.contains { $0.isReadable })
  }

  static func serial(in directory: String) -> Finding {
    var ports = DirectoryListing.names(in: "\(directory)/serial/by-id").map { "\(directory)/serial/by-id/\($0)" }
    if ports.isEmpty {
      ports = DirectoryListing.names(in: directory).filter { $0.hasPrefix("ttyUSB") || $0.hasPrefix("ttyACM") }
        .map { "\(directory)/\($0)" }
    }
    let found = ports.sorted().map { ($0, isReadable: unsafe access($0, R_OK | W_OK) == 0) }
    return Finding(
      kind: .serial,
      found: found.map { path, isReadable in
        path + (isReadable ? "" : ": may not be opened; put this user into the group dialout")
      }, isUsable: found.contains { $0.isReadable })
  }
}
