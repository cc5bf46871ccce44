import Pedometry

/// Shows a walk: `swift run pedometer-example` a computed one, `swift run pedometer-example walk.csv` a recording.
///
/// On a machine with an accelerometer leave `MotionDevice.standard` as it is, and the wearer's own walk is shown.
@main struct PedometerExample {
  static func main() async throws {
    let history = FileManager.default.temporaryDirectory.appending(path: "pedometer-example-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: history) }
    MotionDevice.standard = MotionDevice(
      MotionDevice.Configuration(
        source: CommandLine.arguments.dropFirst().first.map { .recording(path: $0, isHurried: true) }
          ?? .syntheticWalk(isHurried: true),
        historyDirectory: history.path))

    guard Pedometer.isStepCountingAvailable() else {
      print("steps cannot be counted here; authorization: \(Pedometer.authorizationStatus())")
      return
    }
    print("floors can be counted: \(Pedometer.isFloorCountingAvailable())")

    let pedometer = Pedometer()
    let activities = MotionActivityManager()
    let start = Date()
    activities.startActivityUpdates(to: .main) { activity in
      guard let activity, activity.walking || activity.running else { return }
      print("  \(activity.running ? "runs" : "walks"), confidence \(activity.confidence)")
    }
    pedometer.startEventUpdates { event, _ in
      guard let event else { return }
      print("  \(event.type == .pause ? "pauses" : "walks on") after \(Int(event.date.timeIntervalSince(start))) s")
    }

    var last: PedometerData?
    for try await data in pedometer.updates(from: start) {
      last = data
      let cadence = data.currentCadence.map { "\(Int($0.doubleValue * 60))/min" } ?? "standing"
      print("\(data.numberOfSteps) steps, \(Int(data.distance?.doubleValue ?? 0)) m, \(cadence)")
    }
    guard let last else { return print("nobody walked") }
    let sum = try await pedometer.queryPedometerData(from: start, to: last.endDate.addingTimeInterval(1))
    print("the history knows \(sum.numberOfSteps) steps, \(sum.floorsAscended.map { "\($0) floors" } ?? "no floors")")
  }
}
