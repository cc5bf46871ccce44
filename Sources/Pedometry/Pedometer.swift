internal import Synchronization

/// Counts the wearer's steps, with distance, pace, cadence, floors and pauses (CoreMotion's `CMPedometer`).
///
/// Handlers are called one after the other on a queue of the device's, never on the main one.
public final class Pedometer: Sendable {
  let device: MotionDevice
  private let live = Mutex<(data: UInt64?, events: UInt64?)>((nil, nil))
  private let queue = DispatchQueue(label: "pedometry.handlers")

  /// Makes a pedometer on the standard device.
  public convenience init() { self.init(.standard) }

  /// Makes a pedometer on a device.
  public init(_ device: MotionDevice) { self.device = device }

  deinit {
    stopUpdates()
    stopEventUpdates()
  }

  /// Calls a handler with what was walked since a date, at most once a second while that grows.
  ///
  /// A date up to seven days back takes in what the history holds. Steps are held back until they are a walk for sure,
  /// some three seconds, and then counted from the first one on. Updates that ran before are stopped. The handler gets
  /// an error where there is no sensor, or it may not be read; it is looked for again.
  public func startUpdates(from start: Date, withHandler handler: @escaping PedometerHandler) {
    stopUpdates()
    let id = device.subscribe(.data(from: start.timeIntervalSince1970)) { [queue] delivery in
      switch delivery {
      case .data(let data): queue.async { handler(data, nil) }
      case .failure(let error): queue.async { handler(nil, error) }
      case .event, .activity, .end: break
      }
    }
    live.withLock { $0.data = id }
  }

  /// Stops calling the handler of `startUpdates(from:withHandler:)`.
  public func stopUpdates() {
    if let id = live.withLock({ $0.data.take() }) { device.cancel(id) }
  }

  /// Calls a handler when walking ends or begins.
  public func startEventUpdates(handler: @escaping PedometerEventHandler) {
    stopEventUpdates()
    let id = device.subscribe(.events) { [queue] delivery in
      switch delivery {
      case .event(let event): queue.async { handler(event, nil) }
      case .failure(let error): queue.async { handler(nil, error) }
      case .data, .activity, .end: break
      }
    }
    live.withLock { $0.events = id }
  }

  /// Stops calling the handler of `startEventUpdates(handler:)`.
  public func stopEventUpdates() {
    if let id = live.withLock({ $0.events.take() }) { device.cancel(id) }
  }

  /// Calls a handler once with what was walked between two dates, of which the history keeps the last seven days.
  public func queryPedometerData(from start: Date, to end: Date, withHandler handler: @escaping PedometerHandler) {
    let interval = (start.timeIntervalSince1970, end.timeIntervalSince1970)
    device.ask(
      .data(from: interval.0, to: interval.1) { [queue] answer in
        queue.async {
          switch answer {
          case .success(let data): handler(data, nil)
          case .failure(let error): handler(nil, error)
          }
        }
      })
  }
}
