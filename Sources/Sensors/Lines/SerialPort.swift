import Glibc

/// A serial port that is set up for lines: raw, eight bits, no parity, nothing held back.
enum SerialPort {
  /// The speeds that a port can have, in baud.
  static let speeds: [Int: speed_t] = [
    1200: speed_t(B1200), 2400: speed_t(B2400), 4800: speed_t(B4800), 9600: speed_t(B9600), 19_200: speed_t(B19200),
    38_400: speed_t(B38400), 57_600: speed_t(B57600), 115_200: speed_t(B115200), 230_400: speed_t(B230400),
    460_800: speed_t(B460800), 500_000: speed_t(B500000), 576_000: speed_t(B576000), 921_600: speed_t(B921600),
    1_000_000: speed_t(B1000000), 1_500_000: speed_t(B1500000), 2_000_000: speed_t(B2000000),
    3_000_000: speed_t(B3000000), 4_000_000: speed_t(B4000000),
  ]

  /// Opens a port at a speed in baud, for this program alone.
  static func open(_ path: String, baud: Int) throws(SensorError) -> FileDescriptor {
    guard let speed = speeds[baud] else {
      let all = speeds.keys.sorted().map { "\($0)" }.joined(separator: ", ")
      throw SensorError(.invalid, "\(path): \(baud) is no speed of a port; set sensor.serial.baud to one of \(all)")
    }
    // Without O_NONBLOCK opening waits for a modem's carrier.
    let file: FileDescriptor
    do throws(SensorError) {
      file = try FileDescriptor(opening: path, flags: O_RDWR | O_NOCTTY | O_NONBLOCK)
    } catch { throw explained(error, path) }
    var settings = termios()
    guard unsafe tcgetattr(file.raw, &settings) == 0 else {
      throw SensorError(.invalid, "\(path): is no serial port; set sensor.serial.path to one such as /dev/ttyUSB0")
    }
    unsafe cfmakeraw(&settings)
    settings.c_cflag |= tcflag_t(CLOCAL | CREAD)
    settings.c_cflag &= ~tcflag_t(CSTOPB) & ~tcflag_t(CRTSCTS)
    guard unsafe cfsetspeed(&settings, speed) == 0, unsafe tcsetattr(file.raw, TCSANOW, &settings) == 0 else {
      throw SensorError(.invalid, "\(path): cannot be set to \(baud) baud (\(SensorError.text(of: errno)))")
    }
    // Two programs that read one port get half the bytes each; root is not kept out by it.
    _ = ioctl(file.raw, UInt(TIOCEXCL))
    _ = fcntl(file.raw, F_SETFL, fcntl(file.raw, F_GETFL) & ~O_NONBLOCK)
    return file
  }

  private static func explained(_ error: SensorError, _ path: String) -> SensorError {
    switch error.code {
    case .notFound:
      SensorError(.notFound, "\(path): there is no such port; plug it in, or look for it: ls /dev/serial/by-id")
    case .notPermitted:
      SensorError(
        .notPermitted, "\(path): may not be opened; put this user into the group dialout (usermod -aG dialout)")
    case .busy, .invalid, .inputOutput, .silent: error
    }
  }
}
