import Glibc

/// A rotation as a unit quaternion.
struct Rotation: Sendable {
  private var vector: SIMD4<Double>

  /// Turns by an angle in radians about an axis of any length.
  init(by angle: Double, about axis: SIMD3<Double>) {
    let unit = axis / (axis * axis).sum().squareRoot()
    vector = SIMD4(unit * sin(angle / 2), cos(angle / 2))
  }

  /// Turns as `other` does and then as this one.
  func after(_ other: Rotation) -> Rotation {
    var result = self
    let (a, b) = (vector, other.vector)
    let (u, v) = (SIMD3(a.x, a.y, a.z), SIMD3(b.x, b.y, b.z))
    result.vector = SIMD4(u * b.w + v * a.w + Self.cross(u, v), a.w * b.w - (u * v).sum())
    return result
  }

  /// A vector turned.
  func callAsFunction(_ value: SIMD3<Double>) -> SIMD3<Double> {
    let axis = SIMD3(vector.x, vector.y, vector.z)
    let twice = 2 * Self.cross(axis, value)
    return value + vector.w * twice + Self.cross(axis, twice)
  }

  private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }
}

/// How the device of a synthetic walk lies: any way at first, then it shifts, and is fidgeted with while standing.
struct SyntheticAttitude: Sendable {
  /// A turn of the device within some time.
  private struct Shift: Sendable {
    var start: Double
    var seconds: Double
    var axis: SIMD3<Double>
    var angle: Double
    /// The attitude before it.
    var before: Rotation
  }

  private var shifts: [Shift] = []

  /// Draws a first attitude and the shifts of a walk: one in 20 to 60 s, in each rest of 3 s or more a gesture.
  init(duration: Double, resting bouts: [SyntheticBout], using random: inout SplitMix) {
    var moments: [(start: Double, seconds: Double, angle: Double)] = []
    var time = Double.random(in: 20...60, using: &random)
    while time < duration {
      moments.append((time, 0.8, .random(in: 0.1...0.5, using: &random)))
      time += .random(in: 20...60, using: &random)
    }
    for bout in bouts where bout.activity == .standing && bout.end - bout.start >= 3 {
      moments.append((bout.start + 1.2, 1, .random(in: 0.1...0.4, using: &random)))
    }
    moments.sort { $0.start < $1.start }
    var attitude = Rotation(by: .random(in: 0...2 * .pi, using: &random), about: Self.axis(using: &random))
    shifts = [Shift(start: -1, seconds: 0.5, axis: [0, 0, 1], angle: 0, before: attitude)]
    for moment in moments {
      let axis = Self.axis(using: &random)
      shifts.append(
        Shift(start: moment.start, seconds: moment.seconds, axis: axis, angle: moment.angle, before: attitude))
      attitude = Rotation(by: moment.angle, about: axis).after(attitude)
    }
  }

  /// The rotation from the walker's axes to the device's at a time.
  func rotation(at time: Double) -> Rotation {
    var low = 0
    var high = shifts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if shifts[middle].start <= time { low = middle } else { high = middle }
    }
    let shift = shifts[low]
    let part = SyntheticBout.ease((time - shift.start) / shift.seconds)
    return Rotation(by: shift.angle * part, about: shift.axis).after(shift.before)
  }

  private static func axis(using random: inout SplitMix) -> SIMD3<Double> {
    SIMD3(random.normal(1), random.normal(1), random.normal(1)) + SIMD3(repeating: 1e-9)
  }
}

/// Slow and fast wobble as a sum of sines: a noise that is a function of time.
struct SyntheticSway: Sendable {
  private var waves: [(frequency: Double, phase: SIMD3<Double>)] = []

  init(using random: inout SplitMix) {
    for band in [0.15...0.5, 0.15...0.5, 0.5...1, 1...2, 2...4, 9...13, 14...22] {
      let phase = SIMD3<Double>.random(in: 0..<2 * .pi, using: &random)
      waves.append((.random(in: band, using: &random), phase))
    }
  }

  /// The wobble of a person who stands, in g: a few mg, slow.
  func standing(_ time: Double) -> SIMD3<Double> { sum(time, [4e-3, 4e-3, 2e-3, 1e-3, 0, 0, 0]) }

  /// That of a seat in a vehicle, in g: a body on springs (1 to 2 Hz) and an engine.
  func riding(_ time: Double) -> SIMD3<Double> { sum(time, [0.03, 0.02, 0.02, 0.04, 0.02, 0.015, 0.02]) }

  /// That of a road under a bicycle, in g.
  func cycling(_ time: Double) -> SIMD3<Double> { sum(time, [0.02, 0.02, 0.03, 0.03, 0.04, 0.08, 0.06]) }

  private func sum(_ time: Double, _ amplitudes: [Double]) -> SIMD3<Double> {
    var sum = SIMD3<Double>.zero
    for (wave, amplitude) in zip(waves, amplitudes) where amplitude > 0 {
      let angle = wave.phase + SIMD3(repeating: 2 * .pi * wave.frequency * time)
      sum += amplitude * SIMD3(sin(angle.x), sin(angle.y), sin(angle.z))
    }
    return sum
  }
}
