import CMotion
import Motion
import MotionC
import Sensors
import Testing

@Suite struct InterfaceTests {
  @Test(
    arguments: [
      (12.5, MOTION_NORMAL, .normal), (50, MOTION_LOW, .low), (50, MOTION_HIGH, .high), (200, MOTION_NORMAL, .normal),
      (25, 77, .normal),
    ] as [(Double, Int, Pedometer.Sensitivity)])
  func `says what the engine itself says, in the same order`(
    rate: Double, number: Int, sensitivity: Pedometer.Sensitivity
  ) throws {
    let walk = SyntheticWalk()
    var pedometer = Pedometer(Pedometer.Configuration(height: 1.8, sensitivity: sensitivity))
    var expected: [MotionEvent] = []
    let device = try #require(Memory(height: 1.8, sensitivity: number))
    var said: [motion_event_t] = []
    for sample in walk.samples(rate: rate) {
      pedometer.take(sample) { expected.append($0) }
      #expect(device.take(sample))
      said += device.poll()
    }
    pedometer.finish { expected.append($0) }
    #expect(device.finish())
    said += device.poll()
    #expect(said.map(MotionEvent.init) == expected)
    #expect(expected.count > 20)
  }

  @Test func `the memory that the header names is enough, less than is needed or beside its place is refused`() {
    let needed = motion_bytes()
    #expect(needed <= Int(MOTION_BYTES))
    #expect(Memory(bytes: needed) != nil)
    #expect(Memory(bytes: needed - 1) == nil)
    #expect(Memory(bytes: 0) == nil)
    #expect(Memory(offset: 1) == nil)
  }

  @Test(arguments: [0, -1, .nan, .infinity, 9] as [Float])
  func `what no wearer measures is replaced by what is usual`(value: Float) throws {
    let usual = try #require(Memory()).lengths()
    #expect(!usual.isEmpty)
    #expect(try #require(Memory(height: value, stepLength: value)).lengths() == usual)
  }

  @Test func `a measured step length is used`() throws {
    let lengths = try #require(Memory(stepLength: 0.5)).lengths()
    #expect(!lengths.isEmpty && lengths.allSatisfy { $0 == 0.5 })
  }

  @Test func `events that nobody asks for are lost from the last on, and it is said`() throws {
    let device = try #require(Memory())
    var isLost = false
    var samples = 0
    for sample in SyntheticWalk(.init(segments: [.walking(120)])).samples(rate: 25) {
      if !device.take(sample) { isLost = true }
      samples += 1
    }
    #expect(isLost)
    let kept = device.poll()
    #expect(kept.count == 128)
    let steps = kept.filter { $0.kind == UInt8(MOTION_STEP) }.map(\.time_s)
    #expect(steps.count > 100 && steps == steps.sorted())
    #expect(device.take(AccelerometerSample(time: Double(samples) / 25, x: 0, y: 0, z: 1)))
    #expect(device.poll().count < 128)
  }

  @Test func `no sample is dangerous`() throws {
    let device = try #require(Memory())
    let odd: [Double] = [0, -1, 1e300, -1e300, .nan, .infinity, -.infinity, 1e-300]
    for time in odd {
      for value in odd { _ = device.take(AccelerometerSample(time: time, x: Float(value), y: 0, z: Float(value))) }
    }
    #expect(device.finish())
    #expect(device.poll().allSatisfy { $0.kind != UInt8(MOTION_STEP) })
  }

  @Test func `two engines do not know of one another`() throws {
    let one = try #require(Memory())
    let other = try #require(Memory())
    let alone = try #require(Memory()).lengths()
    for sample in SyntheticWalk(.init(segments: [.running(20)])).samples(rate: 50) {
      _ = other.take(sample)
      _ = other.poll()
    }
    #expect(one.lengths() == alone)
  }
}
