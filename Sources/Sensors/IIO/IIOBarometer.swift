import Glibc
import Motion

/// A barometer of the kernel's Industrial I/O subsystem: any device with a pressure channel, read through libiio.
public struct IIOBarometer: Sendable {
  /// Which barometer is read.
  public struct Configuration: Sendable, Equatable {
    /// The name or the label of the device; empty for the first one, and then none is not missed.
    public var device: String
    /// Where the device is: empty for this machine, or libiio's address of another one, such as `ip:192.0.2.7`.
    public var uri: String

    /// Makes a configuration; by default the first barometer of this machine, where there is one.
    public init(device: String = "", uri: String = "") {
      self.device = device
      self.uri = uri
    }
  }

  /// How many events are kept: some four minutes of readings.
  private static let kept = 64

  private let configuration: Configuration

  /// Makes a barometer that is yet to be opened.
  public init(_ configuration: Configuration = Configuration()) {
    self.configuration = configuration
  }

  /// Reads once a second until the task is cancelled or there is no barometer; a thread of its own reads.
  ///
  /// While the consumer does not keep up, some four minutes of readings are kept, then the oldest are dropped.
  public func run(_ deliver: @Sendable (BarometerEvent) async -> Void) async {
    let configuration = configuration
    await DeviceThread.run("barometer", keeping: Self.kept, deliver) { stop, emit in
      let loop = BarometerLoop(
        open: { () throws(SensorError) in try Self.open(configuration) }, wait: { stop.wait($0) }, now: BootTime.now,
        emit: emit)
      loop.run()
    }
  }

  /// Opens the barometer and reads it once; nil where there is none and none is missed.
  public func tryOut() throws(SensorError) -> (name: String, pressure: Double)? {
    guard let barometer = try Self.open(configuration) else { return nil }
    do throws(IIOFailure) {
      return (barometer.name, try barometer.read())
    } catch {
      throw error.tryingOut(barometer.name)
    }
  }

  private static func open(_ configuration: Configuration) throws(SensorError) -> OpenBarometer? {
    let context: IIOContext
    do throws(SensorError) {
      context = try IIOContext(try IIOLibrary(), uri: configuration.uri)
    } catch {
      // Who did not ask for one by its name does not miss it, where the machine has no such devices at all.
      guard configuration.device.isEmpty, configuration.uri.isEmpty else { throw error }
      return nil
    }
    return try find(in: context, named: configuration.device)
  }

  /// Finds the barometer that has a name or a label, or, without one, the first; nil where none is missed.
  static func find(in context: IIOContext, named wanted: String) throws(SensorError) -> OpenBarometer? {
    let found = context.devices.compactMap { device in
      device.isTrigger ? nil : device.channel("pressure").map { (device: device, channel: $0) }
    }
    let chosen = found.first { wanted.isEmpty || $0.device.name == wanted || $0.device.label == wanted }
    guard let chosen else {
      if wanted.isEmpty { return nil }
      let names = found.map(\.device.title).joined(separator: ", ")
      throw SensorError(
        .notFound, "there is no IIO barometer '\(wanted)'; there is \(names.isEmpty ? "none at all" : names)")
    }
    let channel = chosen.channel
    return OpenBarometer(name: chosen.device.title) { () throws(IIOFailure) in try pressure(of: channel) }
  }

  /// The pressure in Pa: the kernel gives kPa, either ready (`input`) or as (raw + offset) × scale.
  private static func pressure(of channel: IIOChannel) throws(IIOFailure) -> Double {
    if channel.has("input") {
      guard let value = Double(try channel.read("input")) else { throw IIOFailure(Int(EIO), "read the pressure") }
      return value * 1000
    }
    let offset = channel.attribute("offset").flatMap { Double($0) } ?? 0
    let scale = channel.attribute("scale").flatMap { Double($0) } ?? 1
    return (Double(try channel.raw()) + offset) * scale * 1000
  }
}
