internal import Motion
internal import Synchronization

/// Tells what the wearer is doing (CoreMotion's `CMMotionActivityManager`).
public final class MotionActivityManager: Sendable {
  private let device: MotionDevice
  private let live = Mutex<UInt64?>(nil)

  /// Makes a manager on the standard device.
  public convenience init() { self.init(.standard) }

  /// Makes a manager on a device.
  public init(_ device: MotionDevice) { self.device = device }

  deinit { stopActivityUpdates() }

  /// Whether activities can be told.
  public static func isActivityAvailable() -> Bool { MotionDevice.standard.capabilities[.activity] == .available }
  /// Whether this process may read the sensor.
  public static func authorizationStatus() -> AuthorizationStatus { MotionDevice.standard.authorization }

  /// Calls a handler on a queue whenever the activity changes; with nil where there is no sensor.
  public func startActivityUpdates(to queue: OperationQueue, withHandler handler: @escaping MotionActivityHandler) {
    stopActivityUpdates()
    let id = device.subscribe(.activities) { delivery in
      switch delivery {
      case .activity(let activity): queue.addOperation { handler(activity) }
      case .failure: queue.addOperation { handler(nil) }
      case .data, .event, .end: break
      }
    }
    live.withLock { $0 = id }
  }

  /// Stops calling the handler.
  public func stopActivityUpdates() {
    if let id = live.withLock({ $0.take() }) { device.cancel(id) }
  }

  /// Calls a handler once, on a queue, with the activities that began between two dates.
  public func queryActivityStarting(
    from start: Date, to end: Date, to queue: OperationQueue, withHandler handler: @escaping MotionActivityQueryHandler
  ) {
    device.ask(
      .activities(from: start.timeIntervalSince1970, to: end.timeIntervalSince1970) { answer in
        queue.addOperation {
          switch answer {
          case .success(let activities): handler(activities, nil)
          case .failure(let error): handler(nil, error)
          }
        }
      })
  }

  /// The activities that began between two dates, in order.
  public func queryActivityStarting(from start: Date, to end: Date) async throws -> [MotionActivity] {
    try await withCheckedThrowingContinuation { continuation in
      device.ask(
        .activities(from: start.timeIntervalSince1970, to: end.timeIntervalSince1970) {
          continuation.resume(with: $0)
        })
    }
  }

  /// Activities as they change; of those that nobody takes the latest 256 are kept.
  public func updates() -> AsyncThrowingStream<MotionActivity, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(256)) { continuation in
      let device = device
      let id = device.subscribe(.activities) { delivery in
        switch delivery {
        case .activity(let activity): continuation.yield(activity)
        case .failure(let error): continuation.finish(throwing: error)
        case .end: continuation.finish()
        case .data, .event: break
        }
      }
      continuation.onTermination = { _ in device.cancel(id) }
    }
  }
}
