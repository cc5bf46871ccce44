internal import Motion
internal import Sensors
internal import Synchronization

/// The device whose wearer is watched: its sensors, the engine on them, and the last seven days on disk.
///
/// Sensors are open while somebody wants updates, and all who do share them. A phone's history goes on while no program
/// runs; here it holds what was counted while some program had updates running.
public final class MotionDevice: Sendable {
  /// Where samples come from, who wears the device, and where its history lies.
  public struct Configuration: Sendable, Equatable {
    /// A source of samples.
    public enum Source: Sendable, Equatable {
      /// An accelerometer of the kernel's, by its name or label (empty: the first); with the first barometer, for floors.
      case accelerometer(named: String = "")
      /// A recording: lines `t,x,y,z` in s and g, or `t,x,y,z,hPa`; as it was, or as fast as the machine takes it.
      case recording(path: String, isHurried: Bool = false)
      /// A computed walk of two minutes, to try things out.
      case syntheticWalk(isHurried: Bool = false)
    }

    /// The source of samples.
    public var source: Source
    /// The wearer's height, in m (0.5 to 2.5, else 1.70 is taken); step length, and so distance, follows from it.
    public var height: Double
    /// The wearer's measured mean step length, in m (0.2 to 2); nil, or another, to estimate it from height and cadence.
    public var stepLength: Double?
    /// The directory of the history, made where it is missing; nil for `pedometry` in the user's state directory.
    public var historyDirectory: String?

    /// Makes a configuration; by default the first accelerometer of this machine and a wearer of 1.70 m.
    public init(
      source: Source = .accelerometer(), height: Double = 1.70, stepLength: Double? = nil,
      historyDirectory: String? = nil
    ) {
      self.source = source
      self.height = height
      self.stepLength = stepLength
      self.historyDirectory = historyDirectory
    }
  }

  private static let shared = Mutex(MotionDevice())

  /// The device that is meant where none is named, as a phone's own is; replace it before anything else is called.
  public static var standard: MotionDevice {
    get { shared.withLock { $0 } }
    set { shared.withLock { $0 = newValue } }
  }

  /// What the device was made of.
  public let configuration: Configuration
  private let orders: AsyncStream<Order>.Continuation
  private let lastID = Mutex<UInt64>(0)

  /// Makes a device; nothing is opened before updates or a query ask for it.
  public init(_ configuration: Configuration = Configuration()) {
    self.configuration = configuration
    let (stream, continuation) = AsyncStream.makeStream(of: Order.self)
    orders = continuation
    let station = Station(configuration)
    // Follows orders one after the other until the device is gone.
    Task {
      for await order in stream { await station.follow(order) }
      await station.close()
    }
  }

  deinit { orders.finish() }

  /// What can be measured, and why not: looks at the sensors, which takes some ten milliseconds.
  var capabilities: Capabilities {
    var capabilities = Capabilities(barometer: .absent)
    do throws(SensorError) {
      switch configuration.source {
      case .accelerometer(let name):
        capabilities.accelerometer = .present(rate: try IIOSource(.init(device: name)).tryOut().rate)
        if try IIOBarometer().tryOut() != nil { capabilities.barometer = .present(rate: nil) }
      case .recording(let path, _):
        let (rate, hasPressures) = try RecordingReader.look(at: path)
        capabilities.accelerometer = .present(rate: rate)
        if hasPressures { capabilities.barometer = .present(rate: nil) }
      case .syntheticWalk: capabilities.accelerometer = .present(rate: Station.rate)
      }
    } catch {
      if capabilities.accelerometer == .unknown {
        capabilities.accelerometer = error.code == .notPermitted ? .denied : .absent
      }
    }
    return capabilities
  }

  /// Whether the sensor may be read.
  var authorization: AuthorizationStatus {
    switch capabilities.accelerometer {
    case .present: .authorized
    case .denied: .denied
    case .absent, .unknown: .notDetermined
    }
  }

  /// Begins updates of a kind; they end with `cancel(_:)`.
  func subscribe(_ wish: Subscriber.Wish, _ deliver: @escaping @Sendable (Delivery) -> Void) -> UInt64 {
    let id = lastID.withLock { last in
      last += 1
      return last
    }
    orders.yield(.begin(Subscriber(id: id, wish: wish, deliver: deliver)))
    return id
  }

  /// Ends updates.
  func cancel(_ id: UInt64) { orders.yield(.end(id)) }

  /// Asks the history.
  func ask(_ question: Question) { orders.yield(.ask(question)) }
}
