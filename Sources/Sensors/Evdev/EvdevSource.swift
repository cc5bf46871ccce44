/// An accelerometer among the kernel's input devices: a game controller, a laptop's, a board's joystick driver.
///
/// Read through libevdev by a thread of its own; found again when it was unplugged.
public struct EvdevSource: AccelerometerSource {
  /// Which device.
  public struct Configuration: Sendable, Equatable {
    /// Its name, as in `/proc/bus/input/devices`, or its path; empty for the first accelerometer.
    public var device: String
    /// At what rate it is thought to go on while nothing changes, in samples/s.
    public var rate: Double

    /// Makes a configuration; by default the first accelerometer.
    public init(device: String = "", rate: Double = 50) {
      self.device = device
      self.rate = rate
    }
  }

  private let configuration: Configuration

  /// Makes a source that has opened nothing yet.
  public init(_ configuration: Configuration = Configuration()) {
    self.configuration = configuration
  }

  /// Reads the accelerometer until the task is cancelled; throws where libevdev is not installed.
  public nonisolated(nonsending)
    func run(_ deliver: nonisolated(nonsending) (SensorEvent) async -> Void) async throws(SensorError)
  {
    let library = try EvdevLibrary()
    let configuration = configuration
    await DeviceThread.run("evdev", deliver) { stop throws(SensorError) in
      try Self.open(configuration, library, stop)
    }
  }

  static func open(
    _ configuration: Configuration, _ library: EvdevLibrary, _ stop: Stop
  ) throws(SensorError) -> any DeviceSession {
    let accelerometer = try InputDevices().accelerometer(named: configuration.device)
    do throws(SensorError) {
      let device = try EvdevDevice(library, path: accelerometer.path)
      return try EvdevSession(device, rate: configuration.rate) { stop.wait($0) }
    } catch { throw explained(error, accelerometer) }
  }

  /// Says what to do about a device that may not be opened.
  static func explained(_ error: SensorError, _ accelerometer: InputDevices.Accelerometer) -> SensorError {
    guard error.code == .notPermitted else { return error }
    return SensorError(.notPermitted, accelerometer.denial)
  }
}
