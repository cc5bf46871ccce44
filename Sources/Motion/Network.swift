/// A small network that tells activities apart: 29 features, 36 and 24 rectified units, six classes.
struct Network: Sendable {
  /// The classes, in the order of the outputs.
  enum Class: Int, Sendable, CaseIterable {
    /// The wearer does not move much: stands, sits, lies, types.
    case stationary
    /// The wearer walks, on stairs too.
    case walking
    /// The wearer runs.
    case running
    /// The wearer pedals.
    case cycling
    /// The device is in a vehicle.
    case automotive
    /// Anything else: hands at work, exercise.
    case other
  }

  /// The probabilities of the classes; the last two places are unused.
  struct Judgement: Sendable {
    /// The probabilities, in the order of `Class`; their sum is 1.
    var probabilities = SIMD8<Float>(repeating: 0)

    /// Returns the probability of a class.
    subscript(_ kind: Class) -> Float { probabilities[kind.rawValue] }
  }

  /// The weights' number: for each input and the constant 1 the row of its weights to all (padded) units, a layer after
  /// the other, before which stand the features' means and the inverses of their deviations.
  static let weightCount = 64 + 30 * 36 + 37 * 24 + 25 * 8

  /// Other weights than the trained ones, for training and its validation; nil in use.
  private let replaced: [Float]?

  /// Makes the trained network.
  init() { replaced = nil }

  /// Makes a network with other weights, `weightCount` of them.
  init(weights: [Float]) {
    precondition(weights.count == Network.weightCount, "a network has \(Network.weightCount) weights")
    replaced = weights
  }

  /// Judges the features of a moment.
  func judge(_ features: inout Features) -> Judgement {
    if let replaced { return judge(&features) { replaced[$0] } }
    return judge(&features) { Weights.trained[$0] }
  }

  @inline(__always)
  private func judge(_ features: inout Features, _ weight: (Int) -> Float) -> Judgement {
    var first = InlineArray<9, SIMD4<Float>>(repeating: .zero)
    for unit in 0..<9 { first[unit] = Network.row(64 + 29 * 36 + 4 * unit, weight) }
    for i in 0..<Features.count {
      let input = min(max((features.values[i] - weight(i)) * weight(32 + i), -4), 4)
      for unit in 0..<9 { first[unit] += input * Network.row(64 + i * 36 + 4 * unit, weight) }
    }
    let secondStart = 64 + 30 * 36
    var second = InlineArray<6, SIMD4<Float>>(repeating: .zero)
    for unit in 0..<6 { second[unit] = Network.row(secondStart + 36 * 24 + 4 * unit, weight) }
    for i in 0..<36 {
      let input = first[i >> 2][i & 3]
      guard input > 0 else { continue }
      for unit in 0..<6 { second[unit] += input * Network.row(secondStart + i * 24 + 4 * unit, weight) }
    }
    let thirdStart = secondStart + 37 * 24
    var low = Network.row(thirdStart + 24 * 8, weight)
    var high = Network.row(thirdStart + 24 * 8 + 4, weight)
    for i in 0..<24 {
      let input = second[i >> 2][i & 3]
      guard input > 0 else { continue }
      low += input * Network.row(thirdStart + i * 8, weight)
      high += input * Network.row(thirdStart + i * 8 + 4, weight)
    }
    return Network.softmax(low, high)
  }

  @inline(__always)
  private static func row(_ i: Int, _ weight: (Int) -> Float) -> SIMD4<Float> {
    SIMD4(weight(i), weight(i + 1), weight(i + 2), weight(i + 3))
  }

  private static func softmax(_ low: SIMD4<Float>, _ high: SIMD4<Float>) -> Judgement {
    let highest = max(low.max(), max(high[0], high[1]))
    var judgement = Judgement()
    var sum: Float = 0
    for i in 0..<6 {
      let value = Approximation.exponential((i < 4 ? low[i & 3] : high[i & 3]) - highest)
      judgement.probabilities[i] = value
      sum += value
    }
    judgement.probabilities /= sum
    return judgement
  }
}
