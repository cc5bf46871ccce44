import Testing

@testable import Sensors

@Suite struct GPSDLoopTests {
  /// What a conversation brings, in order; then it ends.
  private enum Turn {
    case report(GPSDReport)
    case silence(Double)
    case refused
    case closed
  }

  /// Runs the loop on a script; a time of 1 s goes by with each report.
  private func events(_ script: [Turn]) -> (events: [LocationEvent], waits: [Double]) {
    var left = script[...]
    var now = 0.0
    var events: [LocationEvent] = []
    var waits: [Double] = []
    let loop = GPSDLoop(
      name: "gpsd",
      open: { () throws(SensorError) in
        if case .refused? = left.first {
          left.removeFirst()
          throw SensorError(.notFound, "refused")
        }
        return { () throws(SensorError) in
          switch left.popFirst() {
          case .report(let report)?:
            now += 1
            return report
          case .silence(let seconds)?:
            now += seconds
            return nil
          case .closed?, .refused?, nil: throw SensorError(.inputOutput, "closed")
          }
        }
      },
      wait: { seconds in
        if seconds > 0, !left.isEmpty { waits.append(seconds) }
        now += seconds
        return !left.isEmpty
      }, now: { now }, emit: { events.append($0) })
    loop.run()
    return (events, waits)
  }

  private static func fix(accuracy: Double?) -> LocationFix {
    LocationFix(latitude: 1, longitude: 2, accuracy: accuracy)
  }
  private let good = GPSDReport.position(fix(accuracy: 5))

  @Test func `gpsd that is away is tried again, later each time, until it brings positions`() {
    let (events, waits) = events([
      .refused, .refused, .refused, .report(good), .closed, .refused, .report(good), .report(.other),
    ])
    #expect(waits == [0.5, 1, 2, 0.5, 1])
    let refused = LocationEvent.lost(SensorError(.notFound, "refused"))
    let closed = LocationEvent.lost(SensorError(.inputOutput, "closed"))
    let position = LocationEvent.position(Self.fix(accuracy: 5))
    #expect(
      events == [refused, refused, refused, .found("gpsd"), position, closed, refused, .found("gpsd"), position])
  }

  @Test func `a connection that is silent is made anew`() {
    let (events, _) = events([
      .report(good), .silence(10), .silence(40), .report(.other), .silence(59), .silence(1), .report(good),
      .report(.other),
    ])
    #expect(events.count == 5)
    #expect(events[2] == .lost(SensorError(.silent, "gpsd: silent for 60 s; has its receiver power and sky?")))
    #expect(events[3] == .found("gpsd"))
  }

  @Test func `gpsd without a receiver says so`() {
    let (events, _) = events([.report(.noReceiver), .report(.other)])
    #expect(
      events == [.found("gpsd"), .lost(SensorError(.notFound, "gpsd has no receiver; see its DEVICES setting"))])
  }

  @Test func `a receiver that finds no position says so once, until it has found one`() {
    let search = Array(repeating: Turn.report(.other), count: 200)
    let (events, _) = events(search + [.report(good)] + search)
    let lost = LocationEvent.lost(SensorError(.silent, "gpsd: no position for 60 s; has its receiver sky?"))
    #expect(events == [.found("gpsd"), lost, .position(Self.fix(accuracy: 5)), lost])
  }

  @Test func `positions without an accuracy are passed over while others have one`() {
    let bare = GPSDReport.position(Self.fix(accuracy: nil))
    let (mixed, _) = events(Array(repeating: [Turn.report(bare), .report(good)], count: 20).flatMap(\.self))
    #expect(!mixed.contains(.position(Self.fix(accuracy: nil))))
    let (alone, _) = events(Array(repeating: Turn.report(bare), count: 20))
    #expect(alone.contains(.position(Self.fix(accuracy: nil))))
  }
}
