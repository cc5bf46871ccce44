import Sensors

extension Settings {
  /// Where samples come from.
  struct Sensor: Sendable, Equatable {
    /// The kinds of sources.
    enum Source: String, CaseIterable, Sendable {
      case auto, iio, recording, lines, synthetic, evdev, serial, udp, mqtt
    }

    /// How fast a recording is played.
    enum Speed: Sendable, Equatable {
      /// 1 is the speed at which it was recorded.
      case factor(Double)
      /// As fast as the machine allows.
      case max
    }

    /// An accelerometer of the kernel's.
    struct IIO: Sendable, Equatable {
      /// A name or a label; empty for the first.
      var device = ""
      /// Where it is; empty for this machine.
      var uri = ""
    }

    /// A file of samples `t,x,y,z`.
    struct Recording: Sendable, Equatable {
      var path = ""
      var speed = Speed.factor(1)
      var loop = false
    }

    /// Lines of samples `t_ms,x,y,z` or `x,y,z`.
    struct Lines: Sendable, Equatable {
      /// `-` for standard input, else a FIFO or a file.
      var path = "-"
    }

    /// An accelerometer of the kernel's input devices.
    struct Evdev: Sendable, Equatable {
      /// A name or a path; empty for the first.
      var device = ""
    }

    /// Lines from a serial port.
    struct Serial: Sendable, Equatable {
      var path = "/dev/ttyUSB0"
      var baud = 115_200
    }

    /// Lines in datagrams.
    struct UDP: Sendable, Equatable {
      /// The address of this machine that is listened on.
      var address = "127.0.0.1"
      var port = 5005
    }

    /// Lines, or batches of Sensor Logger, in messages of the broker.
    struct MQTT: Sendable, Equatable {
      /// A filter: `+` and `#` are wildcards.
      var topic = ""
      /// How devices are named after their messages; empty where all are of one.
      var device = ""
      /// How many devices there may be.
      var mostDevices = 16
    }

    /// A walker that is computed.
    struct Synthetic: Sendable, Equatable {
      var seed = 1
      /// Where the device is worn.
      enum Placement: String, CaseIterable, Sendable {
        case wrist, pocket, waist, hand
      }

      /// One bout each, in steps a minute; empty for the demonstration's walk.
      var cadences: [Double] = []
      /// The length of a bout, in s.
      var walk = 20.0
      /// The length of the pause after a bout, in s.
      var pause = 6.0
      /// The noise on each axis, in g rms.
      var noise = 0.01
      var placement = Placement.waist
      var speed = Speed.factor(1)
      var loop = true
    }

    var source = Source.auto
    /// In samples a second.
    var rate = 50.0
    /// What lines and messages are written in.
    var unit = AccelerationUnit.g
    /// A name or a label; auto for the first, where the source is IIO, none for none.
    var barometer = "auto"
    var iio = IIO()
    var evdev = Evdev()
    var recording = Recording()
    var lines = Lines()
    var serial = Serial()
    var udp = UDP()
    var mqtt = MQTT()
    var synthetic = Synthetic()

    /// The source that is meant: auto prefers a recording that is named to everything else.
    var meant: Source { source == .auto && !recording.path.isEmpty ? .recording : source }
  }

  /// Whether one process serves many devices.
  var isFleet: Bool { sensor.source == .mqtt && !sensor.mqtt.device.isEmpty }
}
