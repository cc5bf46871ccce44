import Glibc
import Motion

/// Lines `t_ms,x,y,z` (milliseconds of any clock, g) from standard input, a FIFO, a character device or a file.
///
/// A FIFO outlives its writers: they may come and go. A pipe holds what was not read yet (64 KiB, some 40 s at 50 Hz);
/// then its writer waits, so nothing is dropped here. Lines are gathered for 0.15 s; a silence of some seconds is
/// reported as `lost`. A file is read as fast as the consumer takes it.
public struct LinesSource<C: Clock>: AccelerometerSource where C.Duration == Duration {
  /// Where the lines come from.
  public struct Configuration: Sendable, Equatable {
    /// A path, or `-` for standard input.
    public var path: String
    /// After so long without a line the sender is taken for lost.
    public var silence: Duration

    /// Makes a configuration; by default five seconds without a line are a loss.
    public init(path: String = "-", silence: Duration = .seconds(5)) {
      self.path = path
      self.silence = silence
    }
  }

  /// How long lines are gathered.
  private static var gathering: Duration { .milliseconds(150) }
  /// After so many bytes at once the sender is in a hurry and is not made to wait.
  private static var hurry: Int { 1 << 15 }

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
    if try file.status().isRegular {
      var samples = try RecordedSamples(RecordingReader(file, unit: .milliseconds), loops: false)
      let description = SensorDescription(kind: "lines", name: name, rate: samples.rate, pace: .samples)
      try await Playback(speed: .max, clock: clock, bootTime: bootTime).play(&samples, as: description, deliver)
    } else {
      let raw = file.raw
      var reader = try RecordingReader(file, unit: .milliseconds)
      try await follow(&reader, raw, SensorDescription(kind: "lines", name: name), deliver)
    }
  }

  nonisolated(nonsending)
    private func follow(
      _ reader: inout RecordingReader, _ file: CInt, _ description: SensorDescription,
      _ deliver: nonisolated(nonsending) (SensorEvent) async -> Void
    ) async throws(SensorError)
  {
    let readiness = try Readiness()
    var lines = LineClock()
    var block: [AccelerometerSample] = []
    var faults = SensorFaults()
    var isLost = false
    await deliver(.opened(description))
    while true {
      switch await readiness.wait(for: file, atMost: isLost ? .seconds(86_400) : configuration.silence) {
      case .cancelled: return
      case .timedOut:
        guard !isLost else { continue }
        isLost = true
        await deliver(.lost(SensorError(.silent, "\(description.name): no line for \(configuration.silence)")))
        continue
      case .readable: break
      }
      let before = reader.bytesRead
      guard try reader.read(into: &block) else {
        await deliver(.ended)
        return
      }
      if reader.malformed != faults.malformed {
        faults.malformed = reader.malformed
        await deliver(.faults(faults))
      }
      if !block.isEmpty {
        if isLost { await deliver(.found(description)) }
        isLost = false
        let now = bootTime()
        for index in block.indices { block[index].time = lines.map(block[index].time, now: now) }
        for chunk in Chunks(block) { await deliver(.samples(chunk)) }
      }
      if reader.bytesRead - before < Self.hurry {
        guard (try? await clock.sleep(for: Self.gathering)) != nil else { return }
      }
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
