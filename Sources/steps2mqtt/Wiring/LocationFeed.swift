import Agent
import Host
import Sensors
import Wire

/// Fits a receiver to the agent.
struct LocationFeed: LocationPort {
  let source: GPSDSource

  func run(_ deliver: @escaping @Sendable (LocationReport) async -> Void) async {
    do throws(SensorError) {
      try await source.run { event in
        if let report = LocationReport(event) { await deliver(report) }
      }
    } catch {
      // Without its library it will not come: that is told, and nothing more is done.
      await deliver(.lost(reason: error.message))
    }
  }
}

extension LocationReport {
  /// What an event means to the agent; nil for a position that lies nowhere on the earth.
  fileprivate init?(_ event: LocationEvent) {
    switch event {
    case .found(let name): self = .found(name)
    case .lost(let error): self = .lost(reason: error.message)
    case .position(let fix):
      guard let place = Coordinate(latitude: fix.latitude, longitude: fix.longitude) else { return nil }
      self = .position(Position(place, accuracy: fix.accuracy))
    }
  }
}
