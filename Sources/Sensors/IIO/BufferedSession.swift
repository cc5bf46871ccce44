import Glibc
import Motion

/// An accelerometer whose samples the kernel gathers, stamped, and hands over a few at a time.
struct BufferedSession: DeviceSession {
  let description: SensorDescription
  let warnings: [String] = []
  private let accelerometer: IIOAccelerometer
  private let buffer: IIOBuffer
  private let stamps: IIOChannel?
  private let stop: Stop
  private var converter: ScanConverter
  /// How long the buffer takes to fill, in seconds.
  private let filling: Double

  /// Starts the buffer of an accelerometer whose trigger is set; rates in samples/s.
  init(
    _ accelerometer: IIOAccelerometer, rate: Double?, otherwise wanted: Double, stop: Stop
  ) throws(IIOFailure) {
    let clock = accelerometer.setClock()
    let stamps = accelerometer.stamps
    for axis in accelerometer.axes { axis.enable() }
    stamps?.enable()
    let trigger = accelerometer.device.trigger
    let rate = SamplingRate.read(trigger?.attribute("sampling_frequency")) ?? rate
    let together = SamplingRate.together(rate)
    buffer = try accelerometer.device.makeBuffer(samples: together)
    stop.onStop { [weak buffer] in buffer?.cancel() }
    self.accelerometer = accelerometer
    self.stop = stop
    self.stamps = stamps
    converter = ScanConverter(
      name: accelerometer.name, conversion: accelerometer.conversion, clock: clock, rate: rate, otherwise: wanted)
    filling = rate.map { Double(together) / $0 } ?? 0
    let by = trigger.map { ", trigger \($0.name)" } ?? ""
    description = SensorDescription(
      kind: .iio, name: "\(accelerometer.name), buffered by \(together)\(by)", rate: rate)
  }

  mutating func read() throws(SensorError) -> DeviceReading {
    sleepWhileItFills()
    let scans: [Scan]
    do {
      scans = try unsafe buffer.refill { bytes, step in unsafe self.scans(bytes, step) }
    } catch {
      return try afterFailure(error)
    }
    return try converter.take(scans, at: .now())
  }

  /// Waits until the buffer should be full: a read that waits for it is woken by the kernel for each sample.
  private func sleepWhileItFills() {
    guard let latest = converter.latest else { return }
    _ = stop.wait(min(latest + filling + 0.002 - BootTime.now(), filling))
  }

  private func scans(_ bytes: UnsafeRawBufferPointer, _ step: Int) -> [Scan] {
    let axes = accelerometer.axes.map { (channel: $0, offset: buffer.offset(of: $0)) }
    let stamps = stamps.map { (channel: $0, offset: buffer.offset(of: $0)) }
    return stride(from: 0, to: bytes.count, by: step).map { scan in
      let value = { (index: Int) in unsafe axes[index].channel.number(in: bytes, at: scan + axes[index].offset) }
      let stamp = stamps.map { unsafe $0.channel.number(in: bytes, at: scan + $0.offset) }
      return Scan(raw: SIMD3(value(0), value(1), value(2)), stamp: stamp)
    }
  }

  /// Nothing came: that is no failure as long as the device is there; a dead one times out for ever.
  private func afterFailure(_ failure: IIOFailure) throws(SensorError) -> DeviceReading {
    if stop.isStopped { return DeviceReading() }
    switch failure.number {
    case EINTR, EAGAIN: return DeviceReading()
    case ETIMEDOUT where isThere: return DeviceReading()
    default: throw SensorError(.notFound, "\(accelerometer.name): gone (\(failure.text)); plug it in again")
    }
  }

  /// Whether the kernel still has the device; of another machine's it is not known, and its connection is made anew.
  private var isThere: Bool {
    guard accelerometer.device.context.isLocal else { return false }
    return unsafe access("/sys/bus/iio/devices/\(accelerometer.device.id)", F_OK) == 0
  }
}
