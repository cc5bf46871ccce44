import MQTT
import Sensors

extension Settings {
  /// The source of samples that is configured, and watched for what may be wrong.
  ///
  /// What is played waits by a clock. `role` names a connection to the broker, where one is needed: whoever looks at
  /// samples must not take the agent's own. A link that is given is heard in place of such a connection.
  func openSensor(
    playingBy clock: some Clock<Duration> = ContinuousClock(), as role: String = "sensor",
    hearing link: SampleLink? = nil
  ) throws(SensorError) -> any AccelerometerSource {
    CheckedSource(try source(clock, role, link))
  }

  private func source(
    _ clock: some Clock<Duration>, _ role: String, _ link: SampleLink?
  ) throws(SensorError) -> any AccelerometerSource {
    switch sensor.meant {
    case .recording: return sensor.player(by: clock)
    case .lines:
      return LinesSource(
        LinesSource.Configuration(path: sensor.lines.path, lines: sensor.written), clock: clock, bootTime: BootTime.now)
    case .serial:
      return SerialSource(
        SerialSource.Configuration(path: sensor.serial.path, baud: sensor.serial.baud, lines: sensor.written),
        clock: clock, bootTime: BootTime.now)
    case .udp:
      return UDPSource(
        UDPSource.Configuration(
          address: sensor.udp.address, port: UInt16(clamping: sensor.udp.port), lines: sensor.written),
        clock: clock, bootTime: BootTime.now)
    case .mqtt:
      let heard: SampleLink
      if let link {
        heard = link
      } else {
        do throws(MQTTError) { heard = SampleLink(try sampleClient(role)) } catch {
          throw SensorError(.invalid, error.message)
        }
      }
      return MQTTSource(name: sensor.mqtt.topic, lines: sensor.written, feed: .own(heard), clock: clock)
    case .synthetic:
      return SyntheticSource(
        SyntheticSource.Configuration(
          walk: sensor.synthetic.configuration, rate: sensor.rate, speed: sensor.synthetic.speed.playback,
          loop: sensor.synthetic.loop),
        clock: clock, bootTime: BootTime.now)
    case .iio: return IIOSource(sensor.iioConfiguration)
    case .evdev: return EvdevSource(sensor.evdevConfiguration)
    case .auto: return AutoSource(iio: sensor.iioConfiguration, evdev: sensor.evdevConfiguration)
    }
  }

  /// How the broker's messages of samples are heard: by a connection of their own, since they are not commands.
  func sampleClient(_ role: String) throws(MQTTError) -> Client.Configuration {
    var configuration = try client(id: "steps2mqtt-\(deviceID)-\(role)")
    configuration.cleanStart = true
    configuration.sessionExpiry = 0
    configuration.subscriptions = [Subscription(sensor.mqtt.topic)]
    configuration.keptPayload = MessageReader.largest + 1
    return configuration
  }
}

extension Settings.Sensor {
  /// Throws where a recording is to be played that cannot be read or holds no sample.
  func tryRecording() throws(SensorError) {
    if meant == .recording { _ = try RecordingReader.look(at: recording.path) }
  }

  /// The barometer to be read beside the source; nil for none, and where what is played brings its own pressures.
  var openBarometer: IIOBarometer? {
    let mayBeIIO = meant == .iio || meant == .auto
    switch barometer {
    case "none": return nil
    case "auto": return mayBeIIO ? IIOBarometer(IIOBarometer.Configuration(uri: iio.uri)) : nil
    default: return IIOBarometer(IIOBarometer.Configuration(device: barometer, uri: iio.uri))
    }
  }

  /// Whether the source itself may give pressures: nil where only what it sends can tell.
  var bringsPressures: Bool? {
    switch meant {
    case .recording: (try? RecordingReader.look(at: recording.path))?.hasPressures
    case .lines, .serial, .udp, .mqtt: nil
    case .auto, .iio, .evdev, .synthetic: false
    }
  }

  /// How lines are written.
  var written: LineConfiguration { LineConfiguration(unit: unit, rate: rate) }

  fileprivate var iioConfiguration: IIOSource.Configuration {
    IIOSource.Configuration(device: iio.device, rate: rate, uri: iio.uri)
  }

  fileprivate var evdevConfiguration: EvdevSource.Configuration {
    EvdevSource.Configuration(device: evdev.device, rate: rate)
  }

  fileprivate func player<C: Clock>(by clock: C) -> RecordingSource<C> where C.Duration == Duration {
    RecordingSource(
      RecordingSource.Configuration(path: recording.path, speed: recording.speed.playback, loop: recording.loop),
      clock: clock, bootTime: BootTime.now)
  }
}

extension Settings.Sensor.Speed {
  fileprivate var playback: PlaybackSpeed {
    switch self {
    case .factor(let factor): .times(factor)
    case .max: .max
    }
  }
}

extension Settings.Sensor.Synthetic {
  /// The demonstration's walk, or bouts of walking with a pause after each.
  fileprivate var configuration: SyntheticWalk.Configuration {
    let bouts = cadences.flatMap { cadence -> [SyntheticWalk.Segment] in
      [.walking(walk, cadence: cadence / 60), .standing(pause)]
    }
    return SyntheticWalk.Configuration(
      segments: bouts.isEmpty ? SyntheticWalk.demonstration : bouts, placement: placement.walk, seed: UInt64(seed),
      noise: Float(noise))
  }
}

extension Settings.Sensor.Synthetic.Placement {
  fileprivate var walk: SyntheticWalk.Placement {
    switch self {
    case .wrist: .wrist
    case .pocket: .pocket
    case .waist: .waist
    case .hand: .hand
    }
  }
}
