import Glibc
import Motion

/// An accelerometer among the input devices, as it is read.
///
/// The kernel keeps some 60 events, which are few at 200 samples/s: it is read fifty times a second. A device whose
/// axes do not change says nothing: after a moment of silence it is taken to rest, and feels what it felt before.
struct EvdevSession: DeviceSession {
  /// How long events are gathered before they are handed on, and between two reads, in seconds.
  private static let gathering = (all: 0.16, read: 0.02)
  /// After so long without an event, in seconds, the axes are as they were; so much of it is left for late events.
  private static let silence = (least: 0.5, left: 0.2)
  /// A silence that is longer, in seconds, was the machine's own sleep: nobody knows what the axes were then.
  private static let longestRest = 10.0

  let description: SensorDescription
  let warnings: [String] = []
  private let device: EvdevDevice
  private let wait: (Double) -> Bool
  /// The interval of samples at rest, in seconds.
  private let interval: Double
  private var frame: AxisFrame
  private var clock: StampClock
  private var last: Double

  /// Reads a device; throws where it has no axes, or does not say what their numbers are.
  ///
  /// `wait` waits for some seconds and is false when it is time to end.
  init(_ device: EvdevDevice, rate: Double, wait: @escaping (Double) -> Bool) throws(SensorError) {
    guard let axes = device.axes else {
      throw SensorError(.invalid, "\(device.name): has no axes X, Y and Z; name another sensor.evdev.device")
    }
    guard axes.x.resolution > 0, axes.y.resolution > 0, axes.z.resolution > 0 else {
      throw SensorError(
        .invalid, "\(device.name): does not say how many units are 1 g; name another sensor.evdev.device")
    }
    self.device = device
    self.wait = wait
    interval = 1 / rate
    frame = AxisFrame(x: axes.x, y: axes.y, z: axes.z)
    clock = StampClock(device.setClock())
    last = BootTime.now()
    description = SensorDescription(kind: .evdev, name: "\(device.name) (\(device.path))")
  }

  mutating func read() throws(SensorError) -> DeviceReading {
    var reading = DeviceReading()
    let end = BootTime.now() + Self.gathering.all
    device.wait(milliseconds: 1000)
    repeat {
      guard wait(Self.gathering.read) else { return reading }
      while let event = try device.next() {
        if event.followsLoss, event.input.isReport { reading.missing += 1 }
        let time = clock.time(of: event.microseconds * 1000, at: .now())
        guard let sample = frame.take(event.input, at: time) else { continue }
        last = time
        reading.samples.append(sample)
      }
    } while BootTime.now() < end
    if reading.samples.isEmpty { reading.samples = rest(until: BootTime.now()) }
    return reading
  }

  /// The samples of a device that said nothing for a while.
  mutating func rest(until now: Double) -> [AccelerometerSample] {
    guard now - last > Self.silence.least else { return [] }
    var samples: [AccelerometerSample] = []
    if now - last > Self.longestRest { last = now - Self.silence.least }
    while last + interval < now - Self.silence.left {
      last += interval
      samples.append(frame.sample(at: last))
    }
    return samples
  }
}
