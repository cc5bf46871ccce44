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
    if let replaced { return judge(&features, Replaced(weights: replaced)) }
    return judge(&features, Trained())
  }

  @inline(__always)
  private func judge(_ features: inout Features, _ row: some Rows) -> Judgement {
    var inputs = InlineArray<32, Float>(repeating: 0)
    for j in 0..<8 {
      let standard = (features.four(from: 4 &* j) - row(4 &* j)) * row(32 &+ 4 &* j)
      let held = standard.lower(SIMD4(repeating: 4)).higher(SIMD4(repeating: -4))
      for lane in 0..<4 { inputs[4 &* j &+ lane] = held[lane] }
    }
    var first = InlineArray<9, SIMD4<Float>>(repeating: .zero)
    for unit in 0..<9 { first[unit] = row(64 + 29 * 36 + 4 * unit) }
    for input in 0..<29 {
      for unit in 0..<9 { first[unit] += inputs[input] * row(64 &+ input &* 36 &+ 4 &* unit) }
    }
    let secondStart = 64 + 30 * 36
    var second = InlineArray<6, SIMD4<Float>>(repeating: .zero)
    for unit in 0..<6 { second[unit] = row(secondStart + 36 * 24 + 4 * unit) }
    for j in 0..<9 {
      let four = first[j].higher(.zero)
      for lane in 0..<4 {
        for unit in 0..<6 { second[unit] += four[lane] * row(secondStart &+ (4 &* j &+ lane) &* 24 &+ 4 &* unit) }
      }
    }
    let thirdStart = secondStart + 37 * 24
    var low = row(thirdStart + 24 * 8)
    var high = row(thirdStart + 24 * 8 + 4)
    for j in 0..<6 {
      let four = second[j].higher(.zero)
      for lane in 0..<4 {
        let start = thirdStart &+ (4 &* j &+ lane) &* 8
        low += four[lane] * row(start)
        high += four[lane] * row(start &+ 4)
      }
    }
    return Network.softmax(low, high)
  }

  /// Where the weights are found: four at a time, from an index on.
  private protocol Rows {
    func callAsFunction(_ i: Int) -> SIMD4<Float>
  }

  private struct Trained: Rows {
    // Each element is named: a constant that is looked at as a whole is copied as a whole.
    @inline(__always)
    func callAsFunction(_ i: Int) -> SIMD4<Float> {
      SIMD4(Weights.trained[i], Weights.trained[i &+ 1], Weights.trained[i &+ 2], Weights.trained[i &+ 3])
    }
  }

  private struct Replaced: Rows {
    let weights: [Float]
    func callAsFunction(_ i: Int) -> SIMD4<Float> {
      SIMD4(weights[i], weights[i + 1], weights[i + 2], weights[i + 3])
    }
  }

  private static func softmax(_ low: SIMD4<Float>, _ high: SIMD4<Float>) -> Judgement {
    var highest = low[0]
    for i in 1..<4 where low[i] > highest { highest = low[i] }
    for i in 0..<2 where high[i] > highest { highest = high[i] }
    let values = Approximation.exponential(SIMD8(lowHalf: low, highHalf: high) - highest)
    var sum: Float = 0
    for i in 0..<6 { sum += values[i] }
    var judgement = Judgement()
    for i in 0..<6 { judgement.probabilities[i] = values[i] / sum }
    return judgement
  }
}
