/// Places values of a range on a line of the picture.
struct Scale {
  let values: ClosedRange<Double>
  /// Where the range begins and ends, in px.
  let from: Double
  let to: Double

  init(_ values: ClosedRange<Double>, from: Double, to: Double) {
    self.values = values
    self.from = from
    self.to = to
  }

  /// The place of a value; what lies outside of the range is put at its end.
  func callAsFunction(_ value: Double) -> Double {
    let length = values.upperBound - values.lowerBound
    guard length > 0, value.isFinite else { return from }
    return from + (min(max(value, values.lowerBound), values.upperBound) - values.lowerBound) / length * (to - from)
  }

  /// Round values within the range, at most `count` and some more than a third of it.
  func ticks(atMost count: Int, among steps: [Double]) -> [Double] {
    let length = values.upperBound - values.lowerBound
    guard let step = steps.first(where: { length / $0 <= Double(count) }) else { return [] }
    var ticks: [Double] = []
    var tick = (values.lowerBound / step).rounded(.up) * step
    while tick <= values.upperBound + step * 1e-6 {
      ticks.append(tick)
      tick += step
    }
    return ticks
  }

  /// Round distances of time, in s.
  static let times: [Double] = [
    1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 604_800, 2_678_400,
  ]
  /// Round distances of acceleration, in g.
  static let accelerations: [Double] = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100]
}
