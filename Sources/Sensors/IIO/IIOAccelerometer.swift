/// An accelerometer among a machine's IIO devices.
struct IIOAccelerometer {
  let device: IIODevice
  /// The channels of x, y and z.
  let axes: [IIOChannel]

  /// What it is called, for a person.
  var name: String { device.title }

  /// All accelerometers of a machine.
  static func all(in context: IIOContext) -> [IIOAccelerometer] {
    context.devices.compactMap { IIOAccelerometer($0) }
  }

  /// Finds the accelerometer that has a name or a label, or, without one, the first.
  ///
  /// Never by number: that changes when a device is plugged in again. Triggers are devices too, and one axis does not
  /// make an accelerometer.
  static func find(in context: IIOContext, named wanted: String) throws(SensorError) -> IIOAccelerometer {
    let found = all(in: context)
    if wanted.isEmpty, let first = found.first { return first }
    if let named = found.first(where: { $0.device.name == wanted || $0.device.label == wanted }) { return named }
    guard !wanted.isEmpty else {
      throw SensorError(
        .notFound, "there is no IIO accelerometer; check its wiring and driver, or set another sensor.source")
    }
    let names = found.map(\.name).joined(separator: ", ")
    throw SensorError(
      .notFound, "there is no IIO accelerometer '\(wanted)'; there is \(names.isEmpty ? "none at all" : names)")
  }

  private init?(_ device: IIODevice) {
    guard !device.isTrigger else { return nil }
    let axes = ["accel_x", "accel_y", "accel_z"].compactMap { device.channel($0) }
    guard axes.count == 3 else { return nil }
    self.device = device
    self.axes = axes
  }

  /// The stamps' channel, where the buffer has one.
  var stamps: IIOChannel? {
    guard let channel = device.channel("timestamp"), channel.isBuffered else { return nil }
    return channel
  }

  /// Reads x, y and z one after the other, from the driver.
  func read() throws(IIOFailure) -> SIMD3<Int64> {
    SIMD3(try axes[0].raw(), try axes[1].raw(), try axes[2].raw())
  }

  /// How its numbers become g: scale and offset may be each axis' or the device's, the matrix has three names.
  var conversion: IIOConversion {
    var conversion = IIOConversion()
    for (index, axis) in axes.enumerated() {
      if let scale = number(axis, "scale") { conversion.scale[index] = scale }
      if let offset = number(axis, "offset") { conversion.offset[index] = offset }
    }
    let names = ["mount_matrix", "in_accel_mount_matrix", "in_mount_matrix"]
    let texts = [axes[0].attribute("mount_matrix")] + names.map { device.attribute($0) }
    conversion.mount = texts.lazy.compactMap { $0 }.compactMap { MountMatrix($0) }.first ?? .identity
    return conversion
  }

  private func number(_ axis: IIOChannel, _ name: String) -> Double? {
    let text = axis.attribute(name) ?? device.attribute("accel_\(name)") ?? device.attribute(name)
    return text.flatMap { Double($0) }
  }

  /// Asks for a rate in samples/s and returns the one that it has then; nil where it does not say.
  ///
  /// The driver may take another one than was asked for without a word, so it is read back.
  func setRate(_ wanted: Double) -> Double? {
    write(rate: SamplingRate.choose(wanted, from: availableRates))
  }

  /// Sets the highest rate: drivers that switch the sensor on for each single reading are then done sooner.
  func setHighestRate() {
    guard let highest = SamplingRate.highest(of: availableRates) else { return }
    _ = write(rate: highest)
  }

  private var availableRates: String? {
    let name = "sampling_frequency_available"
    return axes[0].attribute(name) ?? device.attribute(name) ?? device.attribute("accel_\(name)")
  }

  private func write(rate choice: Double) -> Double? {
    let name = "sampling_frequency"
    if axes[0].has(name) {
      try? axes[0].set(name, to: SamplingRate.text(choice))
    } else {
      try? device.set(name, to: SamplingRate.text(choice))
    }
    return rate
  }

  /// The rate that it has, in samples/s; nil where it does not say.
  var rate: Double? {
    let name = "sampling_frequency"
    return SamplingRate.read(axes[0].has(name) ? axes[0].attribute(name) : device.attribute(name))
  }

  /// Asks for stamps by the boot clock and returns the clock that they are by; must come before the buffer.
  func setClock() -> StampClock.Kind {
    guard device.context.isLocal else { return .unknown }
    let name = "current_timestamp_clock"
    try? device.set(name, to: StampClock.Kind.boottime.rawValue)
    return device.attribute(name).map { StampClock.Kind(rawValue: $0) ?? .unknown } ?? .realtime
  }
}
