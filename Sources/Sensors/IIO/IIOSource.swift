/// An accelerometer of the kernel's Industrial I/O subsystem, read through libiio.
///
/// Buffered by its own trigger, else by one that is made for it, else polled. A thread of its own reads it; while the
/// consumer does not keep up, some 80 s of samples are kept, then the oldest are dropped and counted.
public struct IIOSource: AccelerometerSource {
  /// Which accelerometer is read, and how fast.
  public struct Configuration: Sendable, Equatable {
    /// The name or the label of the device, as in `/sys/bus/iio/devices/*/name`; empty for the first accelerometer.
    public var device: String
    /// The rate that is asked for, in samples/s; the next higher one that the device can do is taken.
    public var rate: Double
    /// Where the device is: empty for this machine, or libiio's address of another one, such as `ip:192.0.2.7`.
    public var uri: String

    /// Makes a configuration; by default the first accelerometer of this machine, at 50 samples/s.
    public init(device: String = "", rate: Double = 50, uri: String = "") {
      self.device = device
      self.rate = rate
      self.uri = uri
    }
  }

  private let configuration: Configuration

  /// Makes a source that has opened nothing yet.
  public init(_ configuration: Configuration = Configuration()) {
    self.configuration = configuration
  }

  /// Looks for the accelerometer and reads it once: what it is called, and its rate in samples/s where it says so.
  ///
  /// Nothing is set in it and no buffer is started.
  public func tryOut() throws(SensorError) -> (name: String, rate: Double?) {
    let context = try IIOContext(try IIOLibrary(), uri: configuration.uri)
    let accelerometer = try IIOAccelerometer.find(in: context, named: configuration.device)
    do throws(IIOFailure) {
      _ = try accelerometer.read()
    } catch {
      throw error.tryingOut(accelerometer.name)
    }
    return (accelerometer.name, accelerometer.rate)
  }

  /// Reads the accelerometer until the task is cancelled; throws where libiio is not installed.
  public nonisolated(nonsending)
    func run(_ deliver: nonisolated(nonsending) (SensorEvent) async -> Void) async throws(SensorError)
  {
    let library = try IIOLibrary()
    let configuration = configuration
    await DeviceThread.run("iio", deliver) { stop throws(SensorError) in
      try IIOOpening(library: library, configuration: configuration, stop: stop).open()
    }
  }
}
