import CMotion
import Motion

/// The state behind a `motion_t`: the engine, and what it said that nobody has asked for yet.
struct Device {
  private var pedometer: Pedometer
  private var events = EventQueue()

  /// Makes a device for a wearer; a height or a step length beyond what people have is not taken, and
  /// a sensitivity that is none is normal.
  ///
  /// Inlined so that it is made where it is to lie: microcontrollers have little stack.
  @inline(__always)
  init(height: Float, stepLength: Float, sensitivity: UInt8) {
    var configuration = Pedometer.Configuration()
    if Pedometer.Configuration.heights.contains(Double(height)) { configuration.height = height }
    if Pedometer.Configuration.stepLengths.contains(Double(stepLength)) { configuration.stepLength = stepLength }
    switch Int(sensitivity) {
    case MOTION_LOW: configuration.sensitivity = .low
    case MOTION_HIGH: configuration.sensitivity = .high
    default: configuration.sensitivity = .normal
    }
    pedometer = Pedometer(configuration)
  }

  mutating func take(_ sample: AccelerometerSample) -> Bool {
    Device.take(sample, &pedometer, &events)
  }

  mutating func finish() -> Bool {
    Device.finish(&pedometer, &events)
  }

  mutating func poll() -> motion_event_t? { events.pop() }

  // Two properties of one value cannot be changed at once by its own method, but by one that is given both.

  private static func take(
    _ sample: AccelerometerSample, _ pedometer: inout Pedometer, _ events: inout EventQueue
  ) -> Bool {
    var hasRoom = true
    pedometer.take(sample) { if !events.push(motion_event_t($0)) { hasRoom = false } }
    return hasRoom
  }

  private static func finish(_ pedometer: inout Pedometer, _ events: inout EventQueue) -> Bool {
    var hasRoom = true
    pedometer.finish { if !events.push(motion_event_t($0)) { hasRoom = false } }
    return hasRoom
  }
}

extension motion_event_t {
  init(_ event: MotionEvent) {
    self.init()
    switch event {
    case .step(let step):
      kind = UInt8(MOTION_STEP)
      time_s = step.time
      length_m = step.length
      duration_s = step.duration
      cadence_hz = step.cadence
      is_running = step.isRunning ? 1 : 0
    case .pedometer(let event):
      switch event.kind {
      case .pause: kind = UInt8(MOTION_PAUSE)
      case .resume: kind = UInt8(MOTION_RESUME)
      }
      time_s = event.time
    case .activity(let state):
      kind = UInt8(MOTION_ACTIVITY)
      time_s = state.start
      activity = state.flags.rawValue
      switch state.confidence {
      case .low: confidence = 0
      case .medium: confidence = 1
      case .high: confidence = 2
      }
    case .floor: break  // no pressure is taken here
    }
  }
}
