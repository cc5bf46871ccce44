import CMotion
import Motion
import MotionC
import Sensors

/// Memory with an engine in it, as firmware would have it; it goes with the value.
@safe final class Memory {
  private let bytes: UnsafeMutableRawPointer
  private let motion: OpaquePointer

  /// Makes an engine; nil where it refuses the memory.
  init?(
    bytes size: Int = Int(MOTION_BYTES), offset: Int = 0, height: Float = 0, stepLength: Float = 0,
    sensitivity: Int = MOTION_NORMAL
  ) {
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: size + 16, alignment: 16)
    guard let motion = unsafe motion_begin(bytes + offset, size, height, stepLength, UInt8(sensitivity)) else {
      unsafe bytes.deallocate()
      return nil
    }
    unsafe self.bytes = unsafe bytes
    unsafe self.motion = unsafe motion
  }

  deinit { unsafe bytes.deallocate() }

  func take(_ sample: AccelerometerSample) -> Bool {
    unsafe motion_take(motion, sample.time, sample.x, sample.y, sample.z)
  }

  func finish() -> Bool { unsafe motion_finish(motion) }

  /// All events that wait.
  func poll() -> [motion_event_t] {
    var events: [motion_event_t] = []
    var event = motion_event_t()
    while unsafe motion_poll(motion, &event) { events.append(event) }
    return events
  }

  /// The lengths of the steps of a short walk, in m.
  func lengths() -> [Float] {
    var events: [motion_event_t] = []
    for sample in SyntheticWalk(.init(segments: [.walking(20)])).samples(rate: 25) {
      _ = take(sample)
      events += poll()
    }
    return events.filter { $0.kind == UInt8(MOTION_STEP) }.map(\.length_m)
  }
}

extension MotionEvent {
  /// The event that C was told of.
  init(_ event: motion_event_t) {
    switch Int(event.kind) {
    case MOTION_STEP:
      self = .step(
        Step(
          time: event.time_s, duration: event.duration_s, length: event.length_m, cadence: event.cadence_hz,
          isRunning: event.is_running == 1))
    case MOTION_PAUSE: self = .pedometer(PedometerEvent(kind: .pause, time: event.time_s))
    case MOTION_RESUME: self = .pedometer(PedometerEvent(kind: .resume, time: event.time_s))
    default:
      let confidence: MotionActivity.Confidence = [.low, .medium, .high][Int(event.confidence)]
      self = .activity(
        MotionActivity(.init(rawValue: event.activity), confidence: confidence, start: event.time_s))
    }
  }
}
