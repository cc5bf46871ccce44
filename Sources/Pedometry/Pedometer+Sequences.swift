extension Pedometer {
  /// What was walked since a date, as it grows; several may run, beside the handler's updates.
  ///
  ///     for try await data in pedometer.updates(from: .now) { print(data.numberOfSteps) }
  ///
  /// Ends when its task is cancelled or a recording does, and throws where there is no sensor. Who is slow misses what
  /// was overtaken, since each update tells everything from the start on.
  public func updates(from start: Date) -> AsyncThrowingStream<PedometerData, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let device = device
      let id = device.subscribe(.data(from: start.timeIntervalSince1970)) { delivery in
        switch delivery {
        case .data(let data): continuation.yield(data)
        case .failure(let error): continuation.finish(throwing: error)
        case .end: continuation.finish()
        case .event, .activity: break
        }
      }
      continuation.onTermination = { _ in device.cancel(id) }
    }
  }

  /// Pauses and resumptions as they are noticed; of those that nobody takes the latest 256 are kept.
  public func events() -> AsyncThrowingStream<PedometerEvent, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(256)) { continuation in
      let device = device
      let id = device.subscribe(.events) { delivery in
        switch delivery {
        case .event(let event): continuation.yield(event)
        case .failure(let error): continuation.finish(throwing: error)
        case .end: continuation.finish()
        case .data, .activity: break
        }
      }
      continuation.onTermination = { _ in device.cancel(id) }
    }
  }

  /// What was walked between two dates, of which the history keeps the last seven days.
  public func queryPedometerData(from start: Date, to end: Date) async throws -> PedometerData {
    try await withCheckedThrowingContinuation { continuation in
      device.ask(
        .data(from: start.timeIntervalSince1970, to: end.timeIntervalSince1970) {
          continuation.resume(with: $0)
        })
    }
  }
}
