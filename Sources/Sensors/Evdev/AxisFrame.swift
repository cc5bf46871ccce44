import CEvdev
import Motion

/// Puts events of an input device together to samples.
///
/// An axis is reported when it changed, and keeps its value otherwise; a report's end makes the sample.
struct AxisFrame: Sendable {
  /// How the numbers of the axes become g, and what they are.
  struct Axis: Sendable, Equatable {
    /// Units per g.
    var resolution: Int32
    var value: Int32
  }

  /// What an event says, without its time.
  struct Input: Sendable, Equatable {
    var type: UInt16
    var code: UInt16
    var value: Int32

    /// Whether it ends a report.
    var isReport: Bool { Int32(type) == EV_SYN && Int32(code) == SYN_REPORT }
  }

  private var axes: InlineArray<3, Axis>

  init(x: Axis, y: Axis, z: Axis) { axes = [x, y, z] }

  /// Takes an event that happened at a time in seconds, and gives a sample at the end of a report.
  mutating func take(_ input: Input, at time: Double) -> AccelerometerSample? {
    switch (Int32(input.type), Int32(input.code)) {
    case (EV_ABS, ABS_X): axes[0].value = input.value
    case (EV_ABS, ABS_Y): axes[1].value = input.value
    case (EV_ABS, ABS_Z): axes[2].value = input.value
    case (EV_SYN, SYN_REPORT): return sample(at: time)
    default: break
    }
    return nil
  }

  /// What the axes show, at a time in seconds.
  func sample(at time: Double) -> AccelerometerSample {
    AccelerometerSample(time: time, x: felt(0), y: felt(1), z: felt(2))
  }

  private func felt(_ index: Int) -> Float { Float(axes[index].value) / Float(axes[index].resolution) }
}
