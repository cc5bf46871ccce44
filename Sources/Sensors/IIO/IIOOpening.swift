import Glibc

/// The way from a configuration to an open accelerometer: everything is looked for anew each time.
struct IIOOpening {
  let library: IIOLibrary
  let configuration: IIOSource.Configuration
  let stop: Stop

  /// How long a local call may block, in ms: whether a silent device still exists is looked at after that.
  private static let timeout: UInt32 = 1000

  /// Opens the accelerometer, buffered where that is possible.
  func open() throws(SensorError) -> any DeviceSession {
    let accelerometer = try find()
    let rate = accelerometer.setRate(configuration.rate)
    var warnings: [String] = []
    if accelerometer.axes.allSatisfy(\.isBuffered) {
      do {
        return try buffered(accelerometer, rate)
      } catch {
        warnings = try accelerometer.afterFailure(error)
      }
    }
    let polled = min(configuration.rate, rate ?? configuration.rate)
    let sensor = PolledSession.Sensor(
      name: accelerometer.name, conversion: accelerometer.conversion,
      read: { () throws(IIOFailure) in try accelerometer.read() }, hurry: { accelerometer.setHighestRate() })
    return PolledSession(sensor, rate: polled, warnings: warnings, wait: { stop.wait($0) }, now: BootTime.now)
  }

  private func find() throws(SensorError) -> IIOAccelerometer {
    let context = try IIOContext(library, uri: configuration.uri)
    if context.isLocal { context.setTimeout(milliseconds: Self.timeout) }
    return try IIOAccelerometer.find(in: context, named: configuration.device)
  }

  /// Starts the buffer as things are; without a trigger by the device's own one, then by one of the timer.
  private func buffered(_ accelerometer: IIOAccelerometer, _ rate: Double?) throws(IIOFailure) -> BufferedSession {
    let ours = accelerometer.device.trigger.flatMap { $0.name == HighResolutionTrigger.name ? $0 : nil }
    try? ours?.set("sampling_frequency", to: SamplingRate.text(configuration.rate))
    do {
      return try start(accelerometer, rate)
    } catch {
      guard error.number == EINVAL else { throw error }
    }
    if let own = accelerometer.ownTrigger, (try? accelerometer.device.setTrigger(own)) != nil,
      let session = try? start(accelerometer, rate)
    {
      return session
    }
    guard accelerometer.device.context.isLocal, HighResolutionTrigger.make(), let again = try? find(),
      let trigger = again.device.context.devices.first(where: {
        $0.isTrigger && $0.name == HighResolutionTrigger.name
      })
    else { throw IIOFailure(Int(EINVAL), "start a buffer without a trigger") }
    try trigger.set("sampling_frequency", to: SamplingRate.text(configuration.rate))
    try again.device.setTrigger(trigger)
    return try start(again, rate)
  }

  private func start(_ accelerometer: IIOAccelerometer, _ rate: Double?) throws(IIOFailure) -> BufferedSession {
    try BufferedSession(accelerometer, rate: rate, otherwise: configuration.rate, stop: stop)
  }
}

extension IIOAccelerometer {
  /// What a buffer that did not start means: a wait for better times, or polling, with what to say about it.
  fileprivate func afterFailure(_ failure: IIOFailure) throws(SensorError) -> [String] {
    switch failure.number {
    case EBUSY: throw SensorError(.busy, "\(name): another program reads it; end it (fuser -v /dev/\(device.id))")
    case EIO, ENXIO, EREMOTEIO, ETIMEDOUT: throw SensorError(.inputOutput, "\(name): \(failure.text); check its wiring")
    case ENODEV, ENOENT: throw SensorError(.notFound, "\(name): gone (\(failure.text)); plug it in again")
    case EINVAL:
      let hint = "modprobe iio-trig-hrtimer, and see that this user may make triggers"
      return ["\(name): no trigger fires for it, and none can be made; it is polled, which costs more: \(hint)"]
    case EACCES, EPERM:
      let hint = "install the udev rule 60-steps2mqtt-iio.rules and put this user into the group iio"
      return ["\(name): \(failure.text); it is polled, which costs more: \(hint)"]
    default: return ["\(name): \(failure.text); it is polled instead"]
    }
  }

  /// The trigger that the device's driver made for it (data ready), where there is one.
  fileprivate var ownTrigger: IIODevice? {
    device.context.devices.first { $0.isTrigger && !device.name.isEmpty && $0.name.hasPrefix(device.name) }
  }
}
