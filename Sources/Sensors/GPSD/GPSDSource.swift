/// The positions of a receiver that gpsd reads, by way of libgps.
///
/// A thread of its own talks to gpsd. Whoever takes the positions too slowly gets the latest ones.
public struct GPSDSource: Sendable {
  /// Where gpsd runs.
  public struct Configuration: Sendable, Equatable {
    /// The host's name or address.
    public var host: String
    /// The port.
    public var port: Int

    /// Makes a configuration; by default gpsd on this machine, at its own port (2947, by IANA).
    public init(host: String = "localhost", port: Int = 2947) {
      self.host = host
      self.port = port
    }
  }

  /// How many events wait; more are not worth it, since the latest position makes those before it worthless.
  private static let kept = 16
  /// How long a read waits for a message, in s; longer ones cost nothing, as the end interrupts them.
  private static let readSeconds = 10

  private let configuration: Configuration

  /// Makes a source that has connected to nothing yet.
  public init(_ configuration: Configuration = Configuration()) { self.configuration = configuration }

  /// The source's name for people.
  public var name: String { "gpsd at \(configuration.host):\(configuration.port)" }

  /// Delivers positions until the task is cancelled; throws where libgps is not installed.
  public nonisolated(nonsending)
    func run(_ deliver: nonisolated(nonsending) (LocationEvent) async -> Void) async throws(SensorError)
  {
    let library = try GPSLibrary()
    let (host, port, name) = (configuration.host, configuration.port, name)
    await DeviceThread.run("gpsd", keeping: Self.kept, deliver) { stop, emit in
      let loop = GPSDLoop(
        name: name,
        open: { () throws(SensorError) in
          let connection = try GPSDConnection(library, host: host, port: port, stop: stop)
          return { () throws(SensorError) in try connection.read(within: Self.readSeconds) }
        }, wait: { stop.wait($0) }, now: BootTime.now, emit: emit)
      loop.run()
    }
  }
}
