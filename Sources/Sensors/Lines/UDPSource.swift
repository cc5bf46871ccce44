import Glibc

/// Lines in datagrams of UDP: one or more in each, `t_ms,x,y,z` or `x,y,z`.
///
/// Datagrams that overtake one another are put in order, lost ones are a gap in the times. One sender is heard at a
/// time: another is taken when the first has been silent. Nothing proves who sends: only the loopback is listened on
/// unless an address is given.
public struct UDPSource<C: Clock>: AccelerometerSource where C.Duration == Duration {
  /// Where datagrams are expected.
  public struct Configuration: Sendable, Equatable {
    /// The address of this machine that is listened on: `127.0.0.1`, `0.0.0.0` for all, `::` for all and IPv6.
    public var address: String
    /// The port; 0 takes a free one.
    public var port: UInt16
    /// What the lines are written in.
    public var lines: LineConfiguration

    /// Makes a configuration.
    public init(address: String = "127.0.0.1", port: UInt16 = 5005, lines: LineConfiguration = LineConfiguration()) {
      self.address = address
      self.port = port
      self.lines = lines
    }
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

  /// Listens until the task is cancelled; throws where the address cannot be had.
  public nonisolated(nonsending)
    func run(_ deliver: nonisolated(nonsending) (SensorEvent) async -> Void) async throws(SensorError)
  {
    let lines = configuration.lines
    let socket = try DatagramSocket(address: configuration.address, port: configuration.port)
    let name = try "on \(socket.boundName())"
    var input = DatagramInput(socket, lines, now: bootTime)
    var follower = LineFollower(lines, clock: clock, bootTime: bootTime)
    _ = try await follower.follow(&input, as: SensorDescription(kind: .udp, name: name, unit: lines.unit), deliver)
  }
}

extension UDPSource where C == ContinuousClock {
  /// Makes a source on the system's clock that listens on nothing yet.
  public init(_ configuration: Configuration = Configuration()) {
    self.init(configuration, clock: ContinuousClock(), bootTime: BootTime.now)
  }
}
