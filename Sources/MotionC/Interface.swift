public import CMotion
import Motion

// The functions of motion.h; what they do is said there.

/// See motion.h.
@c @implementation
public func motion_bytes() -> Int { MemoryLayout<Device>.size }

/// See motion.h.
@c @implementation
public func motion_begin(
  _ memory: UnsafeMutableRawPointer, _ bytes: Int, _ height: Float, _ stepLength: Float, _ sensitivity: UInt8
) -> OpaquePointer? {
  let isAligned = UInt(bitPattern: memory) % UInt(MemoryLayout<Device>.alignment) == 0
  guard bytes >= MemoryLayout<Device>.size, isAligned else { return nil }
  unsafe memory.initializeMemory(
    as: Device.self, to: Device(height: height, stepLength: stepLength, sensitivity: sensitivity))
  return OpaquePointer(memory)
}

/// See motion.h.
@c @implementation
public func motion_take(_ motion: OpaquePointer, _ time: Double, _ x: Float, _ y: Float, _ z: Float) -> Bool {
  unsafe device(motion).pointee.take(AccelerometerSample(time: time, x: x, y: y, z: z))
}

/// See motion.h.
@c @implementation
public func motion_finish(_ motion: OpaquePointer) -> Bool {
  unsafe device(motion).pointee.finish()
}

/// See motion.h.
@c @implementation
public func motion_poll(_ motion: OpaquePointer, _ event: UnsafeMutablePointer<motion_event_t>) -> Bool {
  guard let next = unsafe device(motion).pointee.poll() else { return false }
  unsafe event.pointee = next
  return true
}

private func device(_ motion: OpaquePointer) -> UnsafeMutablePointer<Device> {
  unsafe UnsafeMutablePointer(motion)
}
