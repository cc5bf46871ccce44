import Glibc
import Motion

/// Lines `t_ms,x,y,z` (milliseconds of any clock), or `x,y,z` dated by their arrival, from standard input, a FIFO, a
/// character device or a file.
///
/// A FIFO outlives its writers: they may come and go. A pipe holds what was not read yet (64 KiB, some 40 s at 50 Hz);
/// then its writer waits, so nothing is dropped here. Lines are gathered for 0.15 s; a silence of some seconds is
/// reported as `lost`. A file is read as fast as the consumer takes it.
public struct LinesSource<C: Clock>: AccelerometerSource where C.Duration == Duration {
  /// Where the lines come from.
  public struct Configuration: Sendable, Equatable {
    /// A path, or `-` for standard input.
    public var path: String
    /// What the lines are written in.
    public var lines: LineConfiguration

    /// Makes a configuration; by default five seconds without a line are a loss.
    public init(path: String = "-", lines: LineConfiguration = LineConfiguration()) {
      self.path = path
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

  /// Opens the source and delivers its lines until it ends; throws where it cannot be opened or read.
  public nonisolated(nonsending)
    func run(_ deliver: nonisolated(nonsending) (SensorEvent) async -> Void) async throws(SensorError)
  {
    let file = try Self.open(configuration.path)
    let name = file.path
    let lines = configuration.lines
    if try file.status().isRegular {
      let reader = try RecordingReader(file, SampleDecoder.Format(time: .milliseconds, unit: lines.unit))
      var samples = try RecordedSamples(reader, loops: false)
      let description = SensorDescription(kind: .lines, name: name, rate: samples.rate, pace: .samples)
      try await Playback(speed: .max, clock: clock, bootTime: bootTime).play(&samples, as: description, deliver)
    } else {
      var input = try TextInput(file, lines.format)
      var follower = LineFollower(lines, clock: clock, bootTime: bootTime)
      let hasEnded = try await follower.follow(
        &input, as: SensorDescription(kind: .lines, name: name, unit: lines.unit), deliver)
      if hasEnded { await deliver(.ended) }
    }
  }

  /// Opens what the configuration names; a FIFO also for writing, so that it does not end with its last writer.
  private static func open(_ path: String) throws(SensorError) -> FileDescriptor {
    if path == "-" { return .standardInput() }
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw .opening(path, errno) }
    let isFIFO = status.st_mode & S_IFMT == S_IFIFO
    return try FileDescriptor(opening: path, flags: isFIFO ? O_RDWR : O_RDONLY | O_NOCTTY)
  }
}

extension LinesSource where C == ContinuousClock {
  /// Makes a source on the system's clock that has opened nothing yet.
  public init(_ configuration: Configuration = Configuration()) {
    self.init(configuration, clock: ContinuousClock(), bootTime: BootTime.now)
  }
}
