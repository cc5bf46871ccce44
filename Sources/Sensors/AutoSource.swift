/// The accelerometer that a machine has: the first of Industrial I/O, else the first among the input devices.
///
/// Looked for anew each time that there is none, so that one that is plugged in later is taken. It says what was
/// chosen and why in its description.
public struct AutoSource: AccelerometerSource {
  private let iio: IIOSource.Configuration
  private let evdev: EvdevSource.Configuration

  /// Makes a source that has opened nothing yet.
  public init(iio: IIOSource.Configuration, evdev: EvdevSource.Configuration) {
    self.iio = iio
    self.evdev = evdev
  }

  /// Reads the accelerometer until the task is cancelled.
  public nonisolated(nonsending)
    func run(_ deliver: nonisolated(nonsending) (SensorEvent) async -> Void) async throws(SensorError)
  {
    let (iio, evdev) = (iio, evdev)
    await DeviceThread.run("auto", deliver) { stop throws(SensorError) in
      try Self.choose(
        first: { () throws(SensorError) in
          try IIOOpening(library: IIOLibrary(), configuration: iio, stop: stop).open()
        },
        second: { () throws(SensorError) in try EvdevSource.open(evdev, EvdevLibrary(), stop) })
    }
  }

  /// Opens the first, or the second where there is no first.
  static func choose(
    first: () throws(SensorError) -> any DeviceSession, second: () throws(SensorError) -> any DeviceSession
  ) throws(SensorError) -> any DeviceSession {
    let missing: SensorError
    do throws(SensorError) {
      return ChosenSession(try first(), why: "chosen by auto: IIO comes first")
    } catch { missing = error }
    // One that is there, but cannot be opened, is the one that is meant.
    guard missing.code == .notFound else { throw missing }
    do throws(SensorError) {
      return ChosenSession(try second(), why: "chosen by auto: there is no IIO accelerometer")
    } catch {
      guard error.code == .notFound else { throw error }
      throw SensorError(
        .notFound, "no accelerometer: \(missing.message); \(error.message): recording, lines, serial, udp or mqtt")
    }
  }
}

/// A device with the reason why it was taken.
private struct ChosenSession: DeviceSession {
  private var session: any DeviceSession
  let description: SensorDescription

  init(_ session: any DeviceSession, why: String) {
    self.session = session
    var description = session.description
    description.name += "; \(why)"
    self.description = description
  }

  var warnings: [String] { session.warnings }

  mutating func read() throws(SensorError) -> DeviceReading { try session.read() }
}
