/// Lines from a serial port: an ESP32, an Arduino, a USB adapter; `t_ms,x,y,z` or `x,y,z`.
///
/// A port that is unplugged is lost, and opened again in growing intervals until it is back. The first line after
/// opening may have been begun before, and is left out.
public struct SerialSource<C: Clock>: AccelerometerSource where C.Duration == Duration {
  /// Which port, and how fast.
  public struct Configuration: Sendable, Equatable {
    /// The path of the port; those in `/dev/serial/by-id` stay the same whatever is plugged in first.
    public var path: String
    /// Its speed, in baud.
    public var baud: Int
    /// What the lines are written in.
    public var lines: LineConfiguration

    /// Makes a configuration.
    public init(path: String, baud: Int = 115_200, lines: LineConfiguration = LineConfiguration()) {
      self.path = path
      self.baud = baud
      self.lines = lines
    }

    /// The speeds that a port can have, in baud.
    public static var speeds: [Int] { SerialPort.speeds.keys.sorted() }
  }

  private let configuration: Configuration
  private let clock: C
  private let bootTime: @Sendable () -> Double

  /// Makes a source that waits by a clock and takes the boot time, in seconds, from a closure.
  public init(_ configuration: Configuration, clock: C, bootTime: @escaping @Sendable () -> Double) {
    self.configuration = configuration
    self.clock = clock
    self.bootTime = bootTime
  }

  /// Reads the port until the task is cancelled, through everything that happens to it.
  public nonisolated(nonsending)
    func run(_ deliver: nonisolated(nonsending) (SensorEvent) async -> Void) async throws(SensorError)
  {
    let lines = configuration.lines
    let path = configuration.path
    let description = SensorDescription(kind: .serial, name: "\(path) at \(configuration.baud) baud", unit: lines.unit)
    var follower = LineFollower(lines, clock: clock, bootTime: bootTime)
    var backoff = Backoff()
    while !Task.isCancelled {
      do throws(SensorError) {
        let file = try SerialPort.open(path, baud: configuration.baud)
        var input = try TextInput(file, lines.format, beginsAmidLine: true)
        guard try await follower.follow(&input, as: description, deliver) else { return }
        throw SensorError(.notFound, "\(path): unplugged; plug it in again")
      } catch {
        if error.code == .invalid { throw error }
        let isGone = error.code == .inputOutput
        let loss = isGone ? SensorError(.notFound, "\(path): gone (\(error.message)); plug it in again") : error
        if follower.hasSamples { backoff.reset() }
        await follower.lose(loss, deliver)
        guard (try? await clock.sleep(for: .seconds(backoff.next()))) != nil else { return }
      }
    }
  }
}

extension SerialSource where C == ContinuousClock {
  /// Makes a source on the system's clock that has opened nothing yet.
  public init(_ configuration: Configuration) {
    self.init(configuration, clock: ContinuousClock(), bootTime: BootTime.now)
  }
}
