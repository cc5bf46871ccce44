/// Lines of figures beside what they must be.
enum Table {
  /// Prints a figure; returns whether it is as low as it must be.
  static func line(_ name: String, _ value: Double, most: Double, _ peers: String = "") -> Bool {
    let verdict = value <= most ? "" : "  MISSED"
    print("\(padded(name, 42))\(padded(rounded(value), 9))must ≤ \(padded(rounded(most), 8))\(peers)\(verdict)")
    return value <= most
  }

  /// Prints the spread of some figures.
  ///
  /// Infinity stands for what never came.
  ///
  /// - Returns: whether their median, and what nine of ten do not exceed, are as low as they must be.
  static func row(_ name: String, _ values: [Double], median: Double = .infinity, high: Double = .infinity) -> Bool {
    guard !values.isEmpty else { return true }
    let sorted = values.sorted()
    let (half, most) = (quantile(0.5, of: sorted), quantile(0.9, of: sorted))
    let good = half <= median && most <= high
    let musts = [(median, "median"), (high, "p90")].filter { $0.0 < .infinity }.map { " must \($0.1) ≤ \($0.0)" }
    print(
      """
      \(padded(name, 42))p10 \(padded(rounded(quantile(0.1, of: sorted)), 7))median \(padded(rounded(half), 7))\
      p90 \(padded(rounded(most), 7))n \(padded("\(values.count)", 7))\(musts.joined())\(good ? "" : "  MISSED")
      """)
    return good
  }

  private static func quantile(_ share: Double, of sorted: [Double]) -> Double {
    sorted[min(Int(share * Double(sorted.count)), sorted.count - 1)]
  }

  static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  static func rounded(_ value: Double) -> String {
    value.isFinite ? "\((value * 100).rounded() / 100)" : "never"
  }
}
