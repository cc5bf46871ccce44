import Pedometry
import Testing

/// The body of a step counter as it is written for a phone; on Apple's systems it begins with `import CoreMotion`.
final class StepCounter: @unchecked Sendable {
  private let pedometer = CMPedometer()
  private let activityManager = CMMotionActivityManager()
  private let lock = NSLock()
  private(set) var text = ""
  private(set) var distanceText = ""
  private(set) var paceText = ""
  private(set) var floorsText = ""
  private(set) var steps = 0
  private(set) var kinds: [String] = []
  private(set) var pauses = 0

  func start(from date: Date) {
    guard CMPedometer.isStepCountingAvailable() else { return }
    guard CMPedometer.authorizationStatus() == .authorized else { return }
    pedometer.startUpdates(from: date) { [weak self] data, error in
      guard let self = self, let pedometerData = data, error == nil else { return }
      self.lock.lock()
      defer { self.lock.unlock() }
      self.text = "\(pedometerData.numberOfSteps)"
      self.steps = pedometerData.numberOfSteps.intValue
      if let distance = pedometerData.distance {
        self.distanceText = String(format: "%.1f m", distance.doubleValue)
      }
      if CMPedometer.isPaceAvailable(), let pace = pedometerData.currentPace as? Double {
        self.paceText = String(format: "%.2f s/m", pace)
      }
      if let floors = pedometerData.floorsAscended { self.floorsText = floors.stringValue }
    }
    if CMPedometer.isPedometerEventTrackingAvailable() {
      pedometer.startEventUpdates { (event: CMPedometerEvent?, error: Error?) in
        guard let event = event, error == nil else { return }
        self.lock.withLock { self.pauses += event.type == CMPedometerEventType.pause ? 1 : 0 }
      }
    }
    if CMMotionActivityManager.isActivityAvailable() {
      activityManager.startActivityUpdates(to: OperationQueue()) { (activity: CMMotionActivity?) in
        guard let activity = activity else { return }
        self.lock.withLock {
          if activity.walking {
            self.kinds.append("walking")
          } else if activity.running {
            self.kinds.append("running")
          } else if activity.stationary {
            self.kinds.append("stationary")
          }
        }
      }
    }
  }

  func query(from start: Date, to end: Date, then: @escaping @Sendable (Int) -> Void) {
    pedometer.queryPedometerData(from: start, to: end) { data, error in
      then(error == nil ? data?.numberOfSteps.intValue ?? -1 : -1)
    }
  }

  /// Looks at what the handlers left: they write on queues of their own.
  func look<Value>(_ look: (StepCounter) -> Value) -> Value { lock.withLock { look(self) } }

  func stop() {
    pedometer.stopUpdates()
    pedometer.stopEventUpdates()
    activityManager.stopActivityUpdates()
  }
}

/// Waits until something is so; a loaded machine may take its time.
func eventually(_ condition: () -> Bool) async -> Bool {
  let deadline = ContinuousClock.now + .seconds(120)
  while ContinuousClock.now < deadline {
    if condition() { return true }
    // A cancelled sleep fails the test by its condition.
    try? await Task.sleep(for: .milliseconds(20))
  }
  return condition()
}

/// A directory of a test, removed at its end.
final class Scratch {
  let path = FileManager.default.temporaryDirectory.appending(path: "pedometry-\(UUID().uuidString)").path
  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// The one test that replaces the standard device.
@Suite struct CoreMotionSampleTests {
  @Test func `a sample written for CoreMotion works with another import`() async throws {
    let scratch = Scratch()
    MotionDevice.standard = MotionDevice(
      MotionDevice.Configuration(source: .syntheticWalk(isHurried: true), historyDirectory: scratch.path))
    let counter = StepCounter()
    let start = Date()
    counter.start(from: start)
    #expect(
      await eventually { counter.look { $0.steps == counted && $0.pauses >= 4 && $0.kinds.contains("running") } })
    counter.look { shown in
      #expect(shown.text == "\(shown.steps)")
      #expect(shown.distanceText.hasSuffix(" m"))
      #expect(shown.paceText.hasSuffix(" s/m"))
      #expect(shown.floorsText == "")
      #expect(Set(["walking", "running"]).isSubset(of: Set(shown.kinds)))
    }
    let known = await withCheckedContinuation { continuation in
      counter.query(from: start, to: start.addingTimeInterval(3600)) { continuation.resume(returning: $0) }
    }
    #expect(known == counter.look(\.steps))
    counter.stop()
  }
}
